import { endOfTransaction, refusedEnd, type TransactionEnded } from './transaction-end';

/**
 * What the work sends passes here. After its end nothing of it may run: a statement that was not waited for would land
 * behind the rollback to the savepoint, or behind the transaction. Nor may the work end the transaction itself.
 */
export class StatementGate {
  private open = false;
  private tickets = 0;
  private refused: TransactionEnded | null = null;
  private readonly running = new Set<Promise<unknown>>();

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.open = true;
    const [ended] = await Promise.allSettled([work()]);
    this.open = false;
    await Promise.allSettled(this.running);
    // Whatever the work made of the refusal: it believes that its transaction has ended.
    if (this.refused !== null) throw this.refused;
    if (ended.status === 'rejected') throw ended.reason;
    return ended.value;
  }

  /** `text` is the statement's own where there is one; an operation of an ORM has none. */
  pass<T>(statement: () => Promise<T>, text: string | null): Promise<T> {
    if (this.tickets > 0) this.tickets -= 1;
    else if (!this.open) return Promise.reject(new Error('bug: statement after the end of its transaction'));
    else {
      const end = text === null ? null : endOfTransaction(text);
      if (end !== null) return Promise.reject((this.refused ??= refusedEnd(end)));
    }
    const running = statement();
    this.running.add(running);
    const done = () => void this.running.delete(running);
    running.then(done, done);
    return running;
  }

  /** For a statement of ours that takes the same way as the work's. */
  async admit<T>(statement: () => PromiseLike<T>): Promise<T> {
    this.tickets += 1;
    try {
      return await statement();
    } finally {
      // A statement that failed before it came here must not leave its ticket to the work.
      this.tickets = 0;
    }
  }
}
