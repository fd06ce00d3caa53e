// A shop's process: takes one order, or the same order several times at once, in same-database mode.
import { FinalRefusal, type RunOnceOptions, type RunOnceRequest } from '@/lib/ledger/run-once';
import { openShop, type Driver } from '../shop';
import { input, say, sayAndWait } from './conversation';

export interface TakeOrders {
  driver: Driver;
  url: string;
  request: RunOnceRequest;
  amount: number;
  /** Equal calls at once. */
  calls: number;
  /** Where each call stops and waits. */
  stopAt: ('claimed' | 'changed')[];
  /** Ends in a final refusal after the change. */
  refuse?: boolean;
  options?: RunOnceOptions;
}

const { driver, url, request, amount, calls, stopAt, refuse, options } = input<TakeOrders>();
const shop = openShop(driver, url, calls);

await sayAndWait('ready');
const outcomes = await Promise.all(
  Array.from({ length: calls }, () =>
    shop.once(
      request,
      async (tx) => {
        if (stopAt.includes('claimed')) await sayAndWait('claimed');
        await tx.takeOrder(request.key, amount);
        if (stopAt.includes('changed')) await sayAndWait('changed');
        if (refuse === true)
          throw new FinalRefusal('REFUSED', 'refused', { status: 422, body: { no: true } });
        return { resultId: `R-${request.key}`, response: { status: 201, body: { amount } } };
      },
      options,
    ),
  ),
);
say('done', { kinds: outcomes.map(({ kind }) => kind) });
process.exit(0);
