/** Questions under way at once in this process: of one connector that answers, and of one that nobody has heard from. */
const PLACES = { answering: 4, unheard: 1 };
/** The same of all connectors together that have not answered yet, and of all that fell silent. */
const SHARED_PLACES = { untried: 16, silent: 8 };
/** Milliseconds for which a question keeps its place, where it was not measured. */
const HELD_MS = { untried: 250, silent: 5_000 };
const SHORTEST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 60_000;

/** What is known of a connector from the last question that this process asked it. */
type Standing = 'answering' | 'untried' | 'silent';

/**
 * Shares out the worker's places among connectors, so that systems which hang, however many, never hold up those that
 * answer: each has few places, and all the silent ones together have few.
 */
export class ConnectorPlaces {
  private readonly taken = new Map<string, number>();
  private readonly heard = new Map<string, 'answering' | 'silent'>();
  private readonly turnedAway = new Map<string, number>();
  private readonly tookMs = new Map<string, number>();

  /**
   * Runs `work` in a place of the connector; answers `null`, and runs nothing, when it has none left.
   * @param isSilence whether the result shows that the system did not answer
   */
  async use<T>(
    connectorId: string,
    work: () => Promise<T>,
    isSilence: (result: T) => boolean,
  ): Promise<T | null> {
    if (!this.hasPlace(connectorId)) {
      this.turnedAway.set(connectorId, (this.turnedAway.get(connectorId) ?? 0) + 1);
      return null;
    }
    this.count(this.turnedAway, connectorId, -1);
    this.count(this.taken, connectorId, 1);
    const startedAt = performance.now();
    try {
      const result = await work();
      this.tookMs.set(connectorId, performance.now() - startedAt);
      this.heard.set(connectorId, isSilence(result) ? 'silent' : 'answering');
      return result;
    } finally {
      this.count(this.taken, connectorId, -1);
    }
  }

  /** Milliseconds after which whoever was turned away may find a place: the longer, the more wait for this connector. */
  waitFor(connectorId: string): number {
    const standing = this.standingOf(connectorId);
    const heldMs = standing === 'answering' ? (this.tookMs.get(connectorId) ?? 0) : HELD_MS[standing];
    const rounds = Math.ceil((this.turnedAway.get(connectorId) ?? 1) / this.placesOf(connectorId));
    return Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, heldMs * rounds));
  }

  private hasPlace(connectorId: string): boolean {
    if ((this.taken.get(connectorId) ?? 0) >= this.placesOf(connectorId)) return false;
    const standing = this.standingOf(connectorId);
    return standing === 'answering' || this.takenBy(standing) < SHARED_PLACES[standing];
  }

  private placesOf(connectorId: string): number {
    return this.standingOf(connectorId) === 'answering' ? PLACES.answering : PLACES.unheard;
  }

  private standingOf(connectorId: string): Standing {
    return this.heard.get(connectorId) ?? 'untried';
  }

  private takenBy(standing: Standing): number {
    let sum = 0;
    for (const [id, count] of this.taken) sum += this.standingOf(id) === standing ? count : 0;
    return sum;
  }

  private count(counts: Map<string, number>, connectorId: string, change: 1 | -1): void {
    const count = (counts.get(connectorId) ?? 0) + change;
    if (count <= 0) counts.delete(connectorId);
    else counts.set(connectorId, count);
  }
}
