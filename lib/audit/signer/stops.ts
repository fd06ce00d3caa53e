import type { AuditRecord } from '../verifier/event-hash.mjs';
import type { ChainPoint } from '../verifier/follow-chain.mjs';
import { leafOf, MOST_LEAVES, RootFold } from '../verifier/merkle.mjs';

/** An event to be signed, with the tree over it and all since the stop before. */
export interface Stop extends ChainPoint {
  size: string;
  root: string;
}

/** The head once more, where a record has something else to say: no event is covered twice. */
export const sameHead = (head: ChainPoint): Stop => ({ ...head, size: '0', root: new RootFold().root() });

/** Events on their way to be verified, folded into trees meanwhile: one is full, or ends at the number up to which is signed. */
export class Stops {
  readonly found: Stop[] = [];
  private fold = new RootFold();

  constructor(private readonly upTo: bigint) {}

  /** @param batches of the events after the last signature, in order */
  async *watch(batches: AsyncIterable<readonly AuditRecord[]>): AsyncGenerator<readonly AuditRecord[]> {
    for await (const batch of batches) {
      for (const event of batch) this.take(BigInt(event.number), event.hash);
      yield batch;
    }
  }

  private take(number: bigint, hash: string): void {
    if (number > this.upTo) return;
    this.fold.add(leafOf(number, hash));
    if (this.fold.size < MOST_LEAVES && number !== this.upTo) return;
    this.found.push({ number, hash, size: String(this.fold.size), root: this.fold.root() });
    this.fold = new RootFold();
  }
}
