/**
 * What the work sends passes here. After its end nothing of it may run: a statement that was not waited for would land
 * behind the rollback to the savepoint, or behind the transaction.
 */
export class StatementGate {
  private open = false;
  private tickets = 0;
  private readonly running = new Set<Promise<unknown>>();

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.open = true;
    try {
      return await work();
    } finally {
      this.open = false;
      await Promise.allSettled(this.running);
    }
  }

  pass<T>(statement: () => Promise<T>): Promise<T> {
    if (this.tickets > 0) this.tickets -= 1;
    else if (!this.open) return Promise.reject(new Error('bug: statement after the end of its transaction'));
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
