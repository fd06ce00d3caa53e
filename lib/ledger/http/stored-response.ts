import type { JsonValue } from '../client/wire';
import { ProblemError } from './problem';
import type { ResponseInput } from './schemas';

/** The only headers that are kept of an answer and sent with its replay (B-83): none carries a session or a time. */
const STORED_HEADERS = ['location', 'etag', 'content-type', 'content-language', 'link'] as const;

/** Statuses that say "not yet" or "not my fault": repeating them for ever would make a passing fault final. */
const NEVER_FINAL: readonly number[] = [408, 425, 429];
const WITHOUT_BODY: readonly number[] = [204, 205, 304];
/** Characters; some proxies refuse longer header lines. */
const MAX_HEADER_VALUE = 2048;

/** What the ledger keeps of an answer: the exact bytes of its body as text. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyText: string | null;
}

/**
 * Judges the answer that an executor wants stored. `slice` is the exact source text of `response.body`, which is kept
 * so that a replay is byte for byte what was given. An answer that could not be replayed is a 422.
 */
export function storableResponse(input: ResponseInput, slice: string | undefined): StoredAnswer {
  const { status } = input;
  if (status < 200 || status > 499 || NEVER_FINAL.includes(status)) {
    throw impossible('/response/status', 'a stored status must be 200 to 499 and not 408, 425 or 429');
  }
  const headers = storableHeaders(input.headers ?? {});
  return { status, headers, bodyText: bodyText(status, headers, input.body, slice) };
}

function storableHeaders(given: Readonly<Record<string, string>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [given_name, value] of Object.entries(given)) {
    const name = given_name.toLowerCase();
    if (!isStorable(name)) {
      throw impossible('/response/headers', `only ${STORED_HEADERS.join(', ')} can be stored`);
    }
    if (Object.hasOwn(kept, name)) throw impossible('/response/headers', `${name} is given twice`);
    if (!isHeaderValue(value)) {
      throw impossible(
        `/response/headers/${name}`,
        `${name} must be 1 to ${MAX_HEADER_VALUE} visible ASCII characters and inner blanks`,
      );
    }
    kept[name] = value;
  }
  return kept;
}

export function isStorable(name: string): boolean {
  return (STORED_HEADERS as readonly string[]).includes(name);
}

export function isHeaderValue(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= MAX_HEADER_VALUE &&
    /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value)
  );
}

function bodyText(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: JsonValue | undefined,
  slice: string | undefined,
): string | null {
  // Presence decides, never the value: false, 0, null and "" are bodies (B-82).
  if (body === undefined || slice === undefined) return null;
  if (WITHOUT_BODY.includes(status)) {
    if (body === null) return null;
    throw impossible('/response/body', `an answer with status ${status} has no body`);
  }
  const type = headers['content-type'];
  if (type === undefined || isJsonType(type)) return slice;
  if (typeof body !== 'string')
    throw impossible('/response/body', 'a body that is not JSON must be given as text');
  return body;
}

/** True for application/json and every type of the +json kind (RFC 6839). */
function isJsonType(contentType: string): boolean {
  const [essence = ''] = contentType.split(';');
  return /^(application|text)\/(json|[^/\s]{1,120}\+json)$/i.test(essence.trim());
}

function impossible(pointer: string, detail: string): ProblemError {
  return new ProblemError('UNPROCESSABLE', detail, { errors: [{ pointer, detail }] });
}
