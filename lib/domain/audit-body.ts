import type { AuditTexts } from './audit-events';

/** One thing that an act changed, as texts on both sides; empty where the side does not have it. */
export interface Change {
  readonly name: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** A member with everything that it holds: one text, or several where a list was stored. */
export interface Detail {
  readonly name: string;
  readonly values: readonly string[];
  /** The instant that the words for it name. */
  readonly at?: string;
  /** Of an amount; null when none is known. */
  readonly currency?: string | null;
}

/** An event's stored JSON text, sorted for reading. */
export interface AuditBody {
  /** What a person wrote: the reason of a decision, or a comment. */
  readonly rationale: string | null;
  readonly comment: string | null;
  /** Authorities that the acting person held; null where that was not recorded. */
  readonly authoritiesThen: readonly string[] | null;
  /** What differs between `before` and `after`; members that stayed the same are left out. */
  readonly changes: readonly Change[];
  /** Every other member, in stored order; members of nested objects stand under their own names. */
  readonly details: readonly Detail[];
}

/**
 * Reads the stored text, with what people wrote put back in its place. It never throws: a text that is no JSON object has no
 * parts, and the page shows it as stored. Erased texts are named under `erased`.
 */
export function readAuditBody(stored: string, texts: AuditTexts | null = null): AuditBody {
  const {
    rationale,
    text: comment,
    before,
    after,
    authoritiesThen,
    ...rest
  } = withTexts(parseObject(stored) ?? {}, texts ?? {});
  return {
    rationale: written(rationale),
    comment: written(comment),
    authoritiesThen: Array.isArray(authoritiesThen) ? authoritiesThen.map(String) : null,
    changes: changesOf(before, after),
    details: membersOf(rest),
  };
}

/** A text that the stored object holds under a name; null for anything else. */
export function memberOf({ body }: { readonly body: string }, name: string): string | null {
  const value = parseObject(body)?.[name];
  return typeof value === 'string' ? value : null;
}

/** The first text of a member, wherever in the stored object it lies; null where there is none. */
export function detailOf({ body }: { readonly body: string }, name: string): string | null {
  return readAuditBody(body).details.find((detail) => detail.name === name)?.values[0] ?? null;
}

/** Whether the stored text says of a member that there was none; a text that is silent about it does not. */
export function saysNoneOf({ body }: { readonly body: string }, name: string): boolean {
  return parseObject(body)?.[name] === null;
}

/** Whether the stored text is still what an event's body is. What is not can only be shown as it lies there. */
export function isReadableBody(stored: string): boolean {
  return parseObject(stored) !== null;
}

/** Members that say in a word how it went, in the order of their weight. */
const TELLING = ['decision', 'verdict', 'outcome', 'act', 'method', 'code', 'state'];
/** An id says nothing in a line. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Members and characters of a list's line; the rest is on the event's page. */
const FEW = 3;
const SHORT = 40;

/** One line about an event: words that somebody wrote, the first thing that changed, or the few members that tell most. */
export type AuditSummary =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'members'; readonly members: readonly Detail[] };

/** What was written, else what was changed, else what tells most; null when the event says nothing more than its name. */
export function summaryOf(body: AuditBody): AuditSummary | null {
  const text = body.rationale ?? body.comment;
  if (text !== null) return { kind: 'words', text };
  const [change] = body.changes;
  // Of what moved nothing, such as a request, only how it stood is known.
  if (change && body.changes.some(({ after }) => after.length > 0)) return { kind: 'change', change };
  if (change) return { kind: 'members', members: [{ name: change.name, values: change.before }] };
  const short = body.details.filter(
    ({ values }) => values.join(', ').length <= SHORT && !values.some((value) => UUID.test(value)),
  );
  const telling = TELLING.flatMap((name) => short.filter((detail) => detail.name === name));
  const members = (telling.length > 0 ? telling : short).slice(0, FEW);
  return members.length === 0 ? null : { kind: 'members', members };
}

/** Null as well for blanks: a card with nothing on it would say that somebody wrote something. */
function written(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function withTexts(
  { commitments, ...body }: Record<string, unknown>,
  texts: AuditTexts,
): Record<string, unknown> {
  const committed = Object.keys(asObject(commitments));
  const erased = committed
    .filter((path) => !Object.hasOwn(texts, path))
    .map((path) => path.replace(/^.*\./, ''));
  for (const path of committed) {
    const [first = '', second] = path.split('.');
    const value = texts[path]?.value ?? null;
    body[first] = second === undefined ? value : { ...asObject(body[first]), [second]: value };
  }
  return erased.length === 0 ? body : { ...body, erased };
}

function changesOf(before: unknown, after: unknown): Change[] {
  const [old, now] = [new Map(pairsOf(asObject(before))), new Map(pairsOf(asObject(after)))];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((name) => ({ name, before: old.get(name) ?? [], after: now.get(name) ?? [] }))
    .filter((change) => change.before.join('\0') !== change.after.join('\0'));
}

function membersOf(object: Record<string, unknown>): Detail[] {
  return pairsOf(object).map(([name, values]) => ({ name, values }));
}

/** Names with their texts; what is null or empty is left out. */
function pairsOf(object: Record<string, unknown>): [string, string[]][] {
  const found = new Map<string, string[]>();
  const collect = (name: string, value: unknown): void => {
    if (value === null || value === undefined) return;
    if (Array.isArray(value)) for (const each of value) collect(name, each);
    else if (typeof value === 'object') {
      for (const [inner, each] of Object.entries(value)) collect(inner, each);
    } else found.set(name, [...(found.get(name) ?? []), String(value)]);
  };
  for (const [name, value] of Object.entries(object)) collect(name, value);
  return [...found];
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}
