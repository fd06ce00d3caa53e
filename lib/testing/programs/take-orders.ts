// A shop's process: takes one order in same-database mode, and stops where it is told to.
import type { RunOnceOptions, RunOnceRequest } from '@/lib/ledger/run-once';
import { openShop, type Driver } from '../shop';
import { input, say, sayAndWait } from './conversation';

export interface TakeOrders {
  driver: Driver;
  url: string;
  request: RunOnceRequest;
  amount: number;
  /** Where each call stops and waits. */
  stopAt: ('claimed' | 'changed')[];
  options?: RunOnceOptions;
}

const { driver, url, request, amount, stopAt, options } = input<TakeOrders>();
const shop = openShop(driver, url, 1);

await sayAndWait('ready');
const { kind } = await shop.once(
  request,
  async (tx) => {
    if (stopAt.includes('claimed')) await sayAndWait('claimed');
    await tx.takeOrder(request.key, amount);
    if (stopAt.includes('changed')) await sayAndWait('changed');
    return { resultId: `R-${request.key}`, response: { status: 201, body: { amount } } };
  },
  options,
);
say('done', { kinds: [kind] });
process.exit(0);
