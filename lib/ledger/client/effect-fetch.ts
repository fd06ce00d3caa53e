import { EffectInDoubt } from './effect-errors';

/** One request of an effect, as it is about to be sent once more in the same attempt. */
export interface RepeatedSend {
  readonly method: string;
  readonly url: string;
  /** How often it has been sent already. */
  readonly sent: number;
}

/** Methods that change nothing (RFC 9110, 9.2.1): lookups before and after the effect may be repeated freely. */
const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];

/** A second send of one request within one attempt: a retry of an inner SDK, beneath the ledger's own. */
export class SentAgain extends EffectInDoubt {
  constructor(readonly repeated: RepeatedSend) {
    const times = repeated.sent === 1 ? 'once' : `${repeated.sent} times`;
    super(
      'SENT_AGAIN',
      `${repeated.method} was sent ${times} in this attempt and was to be sent again; turn the retries of the inner client off`,
    );
  }
}

/**
 * The fetch that an effect hands to its outside calls. One layer alone retries: within one attempt the same request
 * (method, address and body; a body that cannot be compared counts as the same) leaves once, unless `mayRepeat` says so.
 */
export class EffectFetch {
  private readonly sentBefore = new Map<string, number>();
  private stopped: SentAgain | null = null;

  constructor(
    private readonly send: typeof globalThis.fetch,
    private readonly signal: AbortSignal,
    private readonly mayRepeat: (repeated: RepeatedSend) => boolean,
  ) {}

  /** The repetition that was refused; what the effect concludes after it is no proof of a failure. */
  get refused(): SentAgain | null {
    return this.stopped;
  }

  readonly fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const given = input instanceof Request ? input : null;
    const method = (init.method ?? given?.method ?? 'GET').toUpperCase();
    const own = init.signal ?? given?.signal;
    const signal = own == null ? this.signal : AbortSignal.any([own, this.signal]);
    if (!SAFE.includes(method)) this.admit(method, given?.url ?? String(input), contentOf(init.body, given));
    return this.send(input, { ...init, signal });
  };

  private admit(method: string, url: string, content: string | null): void {
    const place = JSON.stringify([method, placeOf(url)]);
    const unreadable = `${place} ?`;
    const same = content === null ? unreadable : `${place} =${content}`;
    // What cannot be compared may be any of those that went to the address before.
    const sent = content === null ? this.timesSent(place) : this.timesSent(same) + this.timesSent(unreadable);
    if (sent > 0 && !this.mayRepeat({ method, url, sent })) {
      this.stopped ??= new SentAgain({ method, url, sent });
      throw this.stopped;
    }
    for (const name of [place, same]) this.sentBefore.set(name, this.timesSent(name) + 1);
  }

  private timesSent(name: string): number {
    return this.sentBefore.get(name) ?? 0;
  }
}

/** An address without what no server sees (#…), and with its query in one order: an SDK may write it anew each time. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const place = new URL(url);
  place.hash = '';
  place.searchParams.sort();
  return place.href;
}

/** A body as text; null when it is a stream, a form or bytes, which are not read for the comparison. */
function contentOf(body: BodyInit | null | undefined, given: Request | null): string | null {
  if (body == null) return given === null || given.body === null ? '' : null;
  return typeof body === 'string' || body instanceof URLSearchParams ? String(body) : null;
}
