/** Seconds until an unanswered question is asked again; doubles each time. */
const FIRST_WAIT_SECONDS = 40;
/** A person may take hours; asking each quarter of an hour shows that somebody still waits. */
const LONGEST_WAIT_SECONDS = 900;

/** When the executor tries what: it keeps asking, ever more rarely, and does not repeat what was just refused. */
export class Pace {
  private readonly next = new Map<string, { at: number; wait: number }>();
  private readonly tried = new Map<string, { version: string; at: number; wait: number }>();

  constructor(private readonly now: () => number) {}

  /** Whether the question about `name`, first asked at `since` (RFC 3339), is to be repeated now. */
  isDue(name: string, since: string): boolean {
    const known = this.next.get(name) ?? {
      at: new Date(since).getTime() + FIRST_WAIT_SECONDS * 1000,
      wait: FIRST_WAIT_SECONDS,
    };
    const due = this.now() >= known.at;
    const wait = due ? Math.min(known.wait * 2, LONGEST_WAIT_SECONDS) : known.wait;
    this.next.set(name, due ? { at: this.now() + wait * 1000, wait } : known);
    return due;
  }

  /** Whether to try a row of this version: at once when it is new, ever more rarely while it stays the same. */
  mayTry(name: string, version: string): boolean {
    const known = this.tried.get(name);
    if (known !== undefined && known.version === version && this.now() < known.at) return false;
    const wait =
      known?.version === version ? Math.min(known.wait * 2, LONGEST_WAIT_SECONDS) : FIRST_WAIT_SECONDS;
    this.tried.set(name, { version, at: this.now() + wait * 1000, wait });
    return true;
  }
}
