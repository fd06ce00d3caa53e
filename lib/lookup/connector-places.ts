/** Questions of one connector under way at once in this process. */
const PLACES = 4;

/** Keeps a system that hangs from taking every place of the worker; other systems go on being asked. */
export class ConnectorPlaces {
  private readonly taken = new Map<string, number>();

  /** Runs `work` in a place of the connector; null, and nothing runs, when it has none left. */
  async use<T>(connectorId: string, work: () => Promise<T>): Promise<T | null> {
    const count = this.taken.get(connectorId) ?? 0;
    if (count >= PLACES) return null;
    this.taken.set(connectorId, count + 1);
    try {
      return await work();
    } finally {
      const left = (this.taken.get(connectorId) ?? 1) - 1;
      if (left === 0) this.taken.delete(connectorId);
      else this.taken.set(connectorId, left);
    }
  }
}
