import {
  asText,
  combine,
  compareField,
  isAbove,
  shown,
  type FieldComparison,
  type FieldRule,
} from './compare-content';
import type { ConnectorMatch } from './connector';
import type { ContentField, StatusRule } from './connector-match';
import {
  subjectValue,
  type QuestionFault,
  type QuestionSubject,
  type TargetDoubt,
} from './connector-question';
import { placeholderOf } from './connector-template';
import { readPlace } from './json-place';
import type { ExternalStatus, Finding, LookupOutcome, Proof, ValueFound } from './lookup-verdict';
import { placeholderLabel } from './placeholder-label';

/** Why a lookup has no clear outcome. UNREACHABLE is one word for every network failure (SS-09). */
export type LookupErrorClass =
  | QuestionFault
  | TargetDoubt
  | 'UNREACHABLE'
  | 'REDIRECT'
  | 'TOO_LARGE'
  | 'UNREADABLE'
  | 'NO_PERMISSION'
  | 'RATE_LIMITED'
  | 'SERVER_ERROR'
  | 'UNEXPECTED_STATUS'
  | 'GONE'
  | 'NOTHING_SHOWN'
  | 'QUERY_FAILED'
  | 'ROLE_CAN_WRITE'
  | 'ERROR_IN_ANSWER'
  | 'UNEXPECTED_SHAPE'
  | 'MORE_PAGES'
  | 'NOT_COMPARABLE'
  | 'UNLISTED_STATUS'
  | 'SECRET_MISSING'
  | 'CONNECTOR_INVALID'
  | 'NO_LONGER_QUERYABLE';

/** One thing that the outside system showed, reduced to the named fields. */
export interface Candidate {
  id: string;
  url: string | null;
  status: ExternalStatus | null;
  account: string | null;
  agrees: boolean | null;
}

/** What one answer says about one execution. */
export interface LookupFinding extends Finding {
  resultId: string | null;
  resultUrl: string | null;
  targetAccount: string | null;
  accountMatch: boolean | null;
  contentMatch: boolean | null;
  comparison: FieldComparison[];
  /** Things that the question found and that may be this execution's; null when no answer could be read. */
  matches: number | null;
  /** At most ten of them. */
  candidates: Candidate[];
  errorClass: LookupErrorClass | null;
}

const CANDIDATES_KEPT = 10;

/** A finding without anything found. */
export function emptyFinding(
  outcome: Exclude<LookupOutcome, 'FOUND' | 'MISMATCH' | 'MULTIPLE'>,
  errorClass: LookupErrorClass | null,
): LookupFinding {
  return {
    outcome,
    externalStatus: null,
    valueFound: null,
    resultId: null,
    resultUrl: null,
    targetAccount: null,
    accountMatch: null,
    contentMatch: null,
    comparison: [],
    matches: outcome === 'NOT_FOUND' ? 0 : null,
    candidates: [],
    errorClass,
  };
}

interface Examined extends Candidate {
  isOther: boolean | null;
  accountMatch: boolean | null;
  contentMatch: boolean | null;
  comparison: FieldComparison[];
  valueFound: ValueFound | null;
}

/**
 * Judges the things that a readable answer lists. Things that failed or were undone are no effects any more;
 * of the rest more than one is MULTIPLE, and exactly one is a match only if account and content agree.
 */
export function findAmong(
  items: readonly unknown[],
  connector: ConnectorMatch,
  proof: Proof,
  subject: QuestionSubject,
): LookupFinding {
  const byId = new Map<string, Examined>();
  for (const item of items) {
    const one = examine(item, connector, proof, subject);
    if (one === null) return emptyFinding('INCONCLUSIVE', 'UNEXPECTED_SHAPE');
    if (one.isOther === null) return emptyFinding('INCONCLUSIVE', 'NOT_COMPARABLE');
    // A list that moves between two pages shows a thing twice: one id is one thing, as it was seen last.
    if (!one.isOther) byId.set(one.id, one);
  }
  const examined = [...byId.values()];
  // The same reference in an account that is not ours is no second effect, as long as ours is there too.
  const inAccount = examined.filter((each) => each.accountMatch !== false);
  const ours = inAccount.length > 0 ? inAccount : examined;
  const first = ours[0];
  if (first === undefined) return emptyFinding('NOT_FOUND', null);
  const standing = ours.filter((each) => each.status !== 'failed' && each.status !== 'reversed');
  if (standing.length > 1) return found('MULTIPLE', null, standing[0] ?? first, standing);
  const one = standing[0] ?? ours.find((each) => each.status === 'reversed') ?? first;
  if (one.accountMatch === false || one.contentMatch === false) return found('MISMATCH', null, one, ours);
  if (one.accountMatch === null || one.contentMatch === null)
    return found('INCONCLUSIVE', 'NOT_COMPARABLE', one, ours);
  return found('FOUND', one.status === null ? 'UNLISTED_STATUS' : null, one, ours);
}

function found(
  outcome: LookupOutcome,
  errorClass: LookupErrorClass | null,
  one: Examined,
  all: readonly Examined[],
): LookupFinding {
  const single = outcome !== 'MULTIPLE';
  return {
    outcome,
    externalStatus: single ? one.status : null,
    valueFound: outcome === 'FOUND' ? one.valueFound : null,
    resultId: single ? one.id : null,
    resultUrl: single ? one.url : null,
    targetAccount: one.account,
    accountMatch: one.accountMatch,
    contentMatch: one.contentMatch,
    comparison: one.comparison,
    matches: all.length,
    candidates: all
      .slice(0, CANDIDATES_KEPT)
      .map(({ id, url, status, account, agrees }) => ({ id, url, status, account, agrees })),
    errorClass,
  };
}

/** Null when the thing has not the shape that the connector describes. */
function examine(
  item: unknown,
  connector: ConnectorMatch,
  proof: Proof,
  subject: QuestionSubject,
): Examined | null {
  const id = asText(readPlace(item, connector.fields.id));
  if (id === null || id === '' || id.length > 255 || /[\p{Cc}\p{Cs}]/u.test(id)) return null;
  const status = statusOf(item, connector);
  const account =
    connector.fields.account === undefined
      ? (connector.fixedAccount ?? null)
      : asText(readPlace(item, connector.fields.account));
  const accountLine = compareField('account', { kind: 'exact' }, subject.account, account);
  const isProving = (field: ContentField) => proof === 'VALUE' && field.role === 'proves';
  const lines = connector.content.map((field) => ({
    field,
    line: compare(field, field.expected, item, subject),
  }));
  const identity = combine(lines.filter(({ field }) => field.role === 'identifies').map(({ line }) => line));
  const contentMatch = combine(lines.filter(({ field }) => !isProving(field)).map(({ line }) => line));
  const proving = lines.filter(({ field }) => isProving(field));
  const contentLines = lines.map(({ line }) => line);
  const shownLines = subject.account === null ? contentLines : [accountLine, ...contentLines];
  return {
    id,
    url: addressIn(item, connector),
    status,
    account: shown(account),
    agrees: combine(shownLines),
    isOther: identity === null ? null : !identity,
    // An execution that names no account has none to disagree with.
    accountMatch: subject.account === null ? true : accountLine.agrees,
    // Proof by value needs a value: without one that can be compared, nothing was shown.
    contentMatch:
      proof === 'VALUE' && combineSome(proving.map(({ line }) => line)) === null ? null : contentMatch,
    comparison: shownLines,
    valueFound: proof === 'VALUE' ? valueOf(proving, item, subject) : null,
  };
}

function combineSome(lines: readonly FieldComparison[]): boolean | null {
  return lines.length === 0 ? null : combine(lines);
}

function valueOf(
  proving: readonly { field: ContentField; line: FieldComparison }[],
  item: unknown,
  subject: QuestionSubject,
): ValueFound {
  if (proving.every(({ line }) => line.agrees === true)) return 'WANTED';
  const before = proving.map(({ field }) =>
    field.before === undefined ? null : compare(field, field.before, item, subject).agrees,
  );
  return before.every((agrees) => agrees === true) ? 'BEFORE' : 'OTHER';
}

function compare(
  field: ContentField,
  expected: string,
  item: unknown,
  subject: QuestionSubject,
): FieldComparison {
  const part = placeholderOf(expected);
  const { match, tolerance, decimals } = field;
  const rule: FieldRule = match === 'numeric' ? { kind: match, tolerance, decimals } : { kind: match };
  return compareField(
    placeholderLabel(expected),
    rule,
    subjectValue(part, subject),
    readPlace(item, field.pointer),
  );
}

/** Null for a word that no list holds (B-97). Without any rule about the status, what is found is done. */
function statusOf(item: unknown, { fields, statuses, statusRules }: ConnectorMatch): ExternalStatus | null {
  for (const rule of statusRules) {
    const applies = ruleApplies(rule, readPlace(item, rule.at));
    if (applies === true) return rule.status;
    // A thing that does not show what would undo it may be undone.
    if (applies === null && !rule.optional) return null;
  }
  if (fields.status === undefined || statuses === undefined) return statusRules.length === 0 ? 'done' : null;
  const word = asText(readPlace(item, fields.status));
  const listed = (['done', 'pending', 'failed', 'reversed'] as const).filter(
    (each) => word !== null && statuses[each].includes(word),
  );
  return listed[0] ?? null;
}

/** Null when there is nothing that the rule could judge. */
function ruleApplies({ is, above, present }: StatusRule, value: unknown): boolean | null {
  if (present === true) return value !== undefined && value !== null && value !== '';
  if (value === undefined) return null;
  if (is !== undefined) return is.some((each) => each === value);
  const text = asText(value);
  return above === undefined || text === null ? null : isAbove(text, above);
}

/** The thing's own address, when it is one that a person can open. */
function addressIn(item: unknown, { fields }: ConnectorMatch): string | null {
  const text = fields.url === undefined ? null : readPlace(item, fields.url);
  return typeof text === 'string' && isOpenable(text) ? text : null;
}

/** True for an absolute web address without credentials; `javascript:` and the like never become links. */
export function isOpenable(text: string): boolean {
  if (text.length > 2000 || /[\p{Cc}\p{Cs}\s]/u.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}
