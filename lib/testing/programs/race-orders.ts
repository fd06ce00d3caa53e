// A shop's process for races: for each word of the test, the same order several times at once.
import { FinalRefusal, type RunOnceRequest } from '@/lib/ledger/run-once';
import { openShop, takeOrder, type Driver } from '../shop';
import { input, sayAndWait } from './conversation';

export interface RaceOrders {
  driver: Driver;
  url: string;
  /** Equal calls at once. */
  calls: number;
}

export interface RaceWord {
  request: RunOnceRequest;
  amount: number;
  /** Ends in a final refusal after the change. */
  refuse: boolean;
}

const { driver, url, calls } = input<RaceOrders>();
const shop = openShop(driver, url, calls);

const take = ({ request, amount, refuse }: RaceWord) =>
  refuse
    ? shop.once(request, async (tx) => {
        await tx.takeOrder(request.key, amount);
        throw new FinalRefusal('REFUSED', 'refused', { status: 422, body: { no: true } });
      })
    : takeOrder(shop, request, amount);

let word = await sayAndWait('ready');
while (word !== '') {
  const order = JSON.parse(word) as RaceWord;
  const outcomes = await Promise.all(Array.from({ length: calls }, () => take(order)));
  word = await sayAndWait('done', { kinds: outcomes.map(({ kind }) => kind) });
}
process.exit(0);
