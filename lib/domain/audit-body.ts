/** One thing that an act changed, as text on both sides; null where the side does not have it. */
export interface Change {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** An event's stored JSON text, sorted for reading. */
export interface AuditBody {
  /** What a person wrote: the reason of a decision, or a comment. */
  readonly rationale: string | null;
  readonly comment: string | null;
  /** What differs between `before` and `after`; members that stayed the same are left out. */
  readonly changes: readonly Change[];
  /** Every other member, in stored order; nested values as JSON text. */
  readonly details: readonly { readonly name: string; readonly value: string }[];
}

/** Reads the stored text. It never throws: a text that is no JSON object has no parts, and the page shows it as stored. */
export function readAuditBody(text: string): AuditBody {
  const { rationale, comment, before, after, ...rest } = parseObject(text) ?? {};
  return {
    rationale: typeof rationale === 'string' ? rationale : null,
    comment: typeof comment === 'string' ? comment : null,
    changes: changesOf(before, after),
    details: Object.entries(rest)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => ({ name, value: asText(value) })),
  };
}

/** Members that say in a word how it went, in the order of their weight. */
const TELLING = ['decision', 'verdict', 'outcome', 'act', 'method', 'code', 'state'];
/** Members and characters of a list's line; the rest is on the event's page. */
const FEW = 3;
const SHORT = 40;

/** One line about an event: words that somebody wrote, or the few members that tell most. */
export type AuditSummary =
  | { readonly kind: 'words'; readonly text: string }
  | {
      readonly kind: 'members';
      readonly members: readonly { readonly name: string; readonly value: string }[];
    };

/** What was written, else what was changed, else what tells most; null when the event says nothing more than its name. */
export function summaryOf(body: AuditBody): AuditSummary | null {
  const written = body.rationale ?? body.comment;
  if (written !== null && written.trim() !== '') return { kind: 'words', text: written };
  const [first] = body.changes;
  if (first) {
    const value = `${first.before ?? '–'} → ${first.after ?? '–'}`;
    return { kind: 'members', members: [{ name: first.name, value }] };
  }
  const short = body.details.filter(({ value }) => value.length <= SHORT);
  const telling = TELLING.flatMap((name) => short.filter((detail) => detail.name === name));
  const members = (telling.length > 0 ? telling : short).slice(0, FEW);
  return members.length === 0 ? null : { kind: 'members', members };
}

function changesOf(before: unknown, after: unknown): Change[] {
  const [old, now] = [asObject(before), asObject(after)];
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...names]
    .map((name) => ({ name, before: sideOf(old[name]), after: sideOf(now[name]) }))
    .filter((change) => change.before !== change.after);
}

const sideOf = (value: unknown): string | null =>
  value === undefined || value === null ? null : asText(value);

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
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
