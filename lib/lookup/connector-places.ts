/** Questions under way at once in this process: of one connector that answers, and of one that nobody has heard from. */
const PLACES = { answering: 4, unheard: 1 };
/** The same of all connectors together that have not answered yet, and of all that fell silent. */
const SHARED_PLACES = { untried: 16, silent: 8 };
/** Questions in a row without an answer after which a connector counts as silent. */
const SILENT_AFTER = 3;
/** Part of the newest measurement in how long a question takes. */
const NEWEST = 0.2;
/** Milliseconds for which a question keeps its place, where it was not measured. */
const HELD_MS = { untried: 250, silent: 5_000 };
const SHORTEST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 60_000;

/** What is known of a connector from the last questions that this process asked it. */
type Standing = 'answering' | 'untried' | 'silent';

/**
 * Shares out the worker's places among connectors, so that systems which hang, however many, never hold up those that
 * answer: each has few places, and all the silent ones together have few.
 */
export class ConnectorPlaces {
  private readonly taken = new Map<string, number>();
  /** Of each connector that was asked: questions in a row without an answer. */
  private readonly unanswered = new Map<string, number>();
  /** Until when whoever was turned away may fill the places; milliseconds of the process's clock. */
  private readonly filledUntil = new Map<string, number>();
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
    if (!this.hasPlace(connectorId)) return null;
    this.count(connectorId, 1);
    const startedAt = performance.now();
    try {
      const result = await work();
      this.measure(connectorId, performance.now() - startedAt);
      this.unanswered.set(connectorId, isSilence(result) ? (this.unanswered.get(connectorId) ?? 0) + 1 : 0);
      return result;
    } finally {
      this.count(connectorId, -1);
    }
  }

  /**
   * Milliseconds after which whoever was turned away may find a place. Each gets a time of its own, after those who were
   * turned away before: they do not all come back at once, again and again.
   */
  waitFor(connectorId: string): number {
    const standing = this.standingOf(connectorId);
    const heldMs = standing === 'answering' ? (this.tookMs.get(connectorId) ?? 0) : HELD_MS[standing];
    const now = performance.now();
    const step = Math.max(SHORTEST_WAIT_MS, heldMs) / this.placesOf(connectorId);
    const until = Math.max(now, this.filledUntil.get(connectorId) ?? now) + step;
    this.filledUntil.set(connectorId, Math.min(until, now + LONGEST_WAIT_MS));
    return Math.min(until - now, LONGEST_WAIT_MS);
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
    const unanswered = this.unanswered.get(connectorId);
    if (unanswered === undefined) return 'untried';
    return unanswered >= SILENT_AFTER ? 'silent' : 'answering';
  }

  private measure(connectorId: string, tookMs: number): void {
    const before = this.tookMs.get(connectorId) ?? tookMs;
    this.tookMs.set(connectorId, before + NEWEST * (tookMs - before));
  }

  private takenBy(standing: Standing): number {
    let sum = 0;
    for (const [id, count] of this.taken) sum += this.standingOf(id) === standing ? count : 0;
    return sum;
  }

  private count(connectorId: string, change: 1 | -1): void {
    const count = (this.taken.get(connectorId) ?? 0) + change;
    if (count === 0) this.taken.delete(connectorId);
    else this.taken.set(connectorId, count);
  }
}
