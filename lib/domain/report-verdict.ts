import { combine, compareField, type FieldComparison } from './compare-content';
import { subjectValue, type QuestionSubject } from './connector-question';
import { placeholderOf } from './connector-template';
import { isLinkable, judgeFinding, type ExternalStatus } from './lookup-verdict';
import { findSecrets } from './secret-screen';
import { isId, isShortened, ruleOf, statusOf, type NamedRow, type ReportReading } from './report-reading';

/** What one row of a provider's report comes to. LINK and ORPHAN alone bring something about. */
export const REPORT_VERDICTS = [
  'LINK',
  'ORPHAN',
  'PENDING',
  'FAILED',
  'REVERSED',
  'MISMATCH',
  'MULTIPLE',
  'SETTLED',
  'OUTSIDE',
  'UNREADABLE',
] as const;
export type ReportVerdict = (typeof REPORT_VERDICTS)[number];

/** Why a row cannot be read. */
export const ROW_REASONS = [
  'NO_MATCH_VALUE',
  'NO_RESULT_ID',
  'STATUS_UNLISTED',
  'BAD_TEXT',
  'NOT_COMPARABLE',
  'SHORTENED',
  'BEFORE_IT_BEGAN',
  'SECRET',
] as const;
export type RowReason = (typeof ROW_REASONS)[number];

/** An execution of the tenant and system that a row names. */
export interface KnownExecution {
  readonly executionId: string;
  readonly executionVersion: string;
  /** Its open exception in the incident; null when there is none. */
  readonly exceptionId: string | null;
  /** When the ledger first heard of it. */
  readonly beganAt: string;
  /** It has an end: nothing is asked about it any more. */
  readonly isSettled: boolean;
  readonly subject: QuestionSubject;
}

export interface ReportGround {
  readonly reading: ReportReading;
  /** Until when the report tells. */
  readonly asOf: string;
  /** By the placeholder of each content field: what the connector lets differ. */
  readonly tolerances: ReadonlyMap<string, string>;
  readonly known: (matchValue: string) => readonly KnownExecution[];
  /** The result is another execution's already, or an orphan's. */
  readonly isKnownResult: (resultId: string, own: string | null) => boolean;
}

export interface JudgedRow {
  readonly rowNumber: number;
  readonly verdict: ReportVerdict;
  readonly reason: RowReason | null;
  readonly matchValue: string | null;
  readonly resultId: string | null;
  readonly statusWord: string | null;
  readonly account: string | null;
  readonly exceptionId: string | null;
  readonly executionId: string | null;
  readonly executionVersion: string | null;
  readonly accountMatch: boolean | null;
  readonly contentMatch: boolean | null;
  readonly comparison: readonly FieldComparison[];
}

/** A verdict for each row, judged together: two rows for one execution or one result are both left to people. */
export function judgeReport(rows: readonly NamedRow[], ground: ReportGround): JudgedRow[] {
  const judged = rows.map((row) => judgeRow(row, ground));
  const claiming = judged.filter((row) => !isFailure(row, ground));
  const claims = countOf(claiming.map((row) => row.executionId));
  const results = countOf(claiming.map((row) => row.resultId));
  return judged.map((row) =>
    bringsAbout(row) && (isShared(claims, row.executionId) || isShared(results, row.resultId))
      ? { ...row, verdict: 'MULTIPLE' }
      : row,
  );
}

/** Rows of this verdict are carried out once the report is confirmed. */
export const bringsAbout = ({ verdict }: { readonly verdict: string }): boolean =>
  verdict === 'LINK' || verdict === 'ORPHAN';

// A failed try is no second effect.
const isFailure = (row: JudgedRow, { reading }: ReportGround) =>
  row.statusWord !== null && statusOf(reading, row.statusWord) === 'failed';

function countOf(names: readonly (string | null)[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

const isShared = (counts: ReadonlyMap<string, number>, name: string | null) =>
  name !== null && (counts.get(name) ?? 0) > 1;

function judgeRow(row: NamedRow, ground: ReportGround): JudgedRow {
  const base = valuesOf(row);
  const texts = [row.matchValue, row.resultId, row.statusWord, row.account, ...row.content];
  // A secret is not kept, whatever column it came in.
  if (texts.some((text) => findSecrets(text).length > 0))
    return { ...NOTHING, rowNumber: row.rowNumber, reason: 'SECRET' };
  if (row.matchValue === '') return { ...base, reason: 'NO_MATCH_VALUE' };
  if (base.matchValue === null) return { ...base, reason: 'BAD_TEXT' };
  if (isShortened(row.matchValue)) return { ...base, reason: 'SHORTENED' };
  const known = ground.known(row.matchValue);
  const [one] = known;
  const named = one === undefined || known.length > 1 ? base : { ...base, ...naming(one) };
  const status = statusOf(ground.reading, row.statusWord);
  if (status === null) return { ...named, reason: 'STATUS_UNLISTED' };
  if (status !== 'done') return { ...named, verdict: NOT_DONE[status] };
  if (row.resultId === '') return { ...named, reason: 'NO_RESULT_ID' };
  if (base.resultId === null || base.account === null) return { ...named, reason: 'BAD_TEXT' };
  if (isShortened(row.resultId)) return { ...named, reason: 'SHORTENED' };
  if (known.length > 1) return { ...named, verdict: 'MULTIPLE' };
  if (one !== undefined) return { ...named, ...held(row, one, ground) };
  return {
    ...named,
    verdict: ground.isKnownResult(row.resultId, null) ? 'SETTLED' : 'ORPHAN',
    comparison: unheld(row, ground),
  };
}

const NOT_DONE: Readonly<Record<Exclude<ExternalStatus, 'done'>, ReportVerdict>> = {
  pending: 'PENDING',
  failed: 'FAILED',
  reversed: 'REVERSED',
};

const NOTHING: Omit<JudgedRow, 'rowNumber'> = {
  verdict: 'UNREADABLE',
  reason: null,
  matchValue: null,
  resultId: null,
  statusWord: null,
  account: null,
  exceptionId: null,
  executionId: null,
  executionVersion: null,
  accountMatch: null,
  contentMatch: null,
  comparison: [],
};

/** Of a row what can be kept; without more it is unreadable. */
function valuesOf(row: NamedRow): JudgedRow {
  const kept = (text: string) => (isId(text) ? text : null);
  return {
    ...NOTHING,
    rowNumber: row.rowNumber,
    matchValue: kept(row.matchValue),
    resultId: kept(row.resultId),
    statusWord: kept(row.statusWord),
    account: kept(row.account),
  };
}

const naming = (one: KnownExecution) => ({
  executionId: one.executionId,
  executionVersion: one.executionVersion,
  exceptionId: one.exceptionId,
});

/** A finished effect held against the execution that it names. */
function held(row: NamedRow, one: KnownExecution, ground: ReportGround): Partial<JudgedRow> {
  const comparison = ground.reading.content.map((each, index) =>
    compareField(
      each.expected,
      ruleOf(each, ground.tolerances.get(each.expected) ?? '0'),
      subjectValue(placeholderOf(each.expected), one.subject),
      row.content[index] ?? null,
    ),
  );
  const contentMatch = combine(comparison);
  const accountMatch = one.subject.account === null || one.subject.account === row.account;
  const found = { comparison, contentMatch, accountMatch };
  if (one.isSettled) return { ...found, verdict: 'SETTLED' };
  if (one.exceptionId === null) return { ...found, verdict: 'OUTSIDE' };
  if (!accountMatch || contentMatch === false) return { ...found, verdict: 'MISMATCH' };
  if (isEarlier(ground.asOf, one.beganAt))
    return { ...found, verdict: 'UNREADABLE', reason: 'BEFORE_IT_BEGAN' };
  if (ground.isKnownResult(row.resultId, one.executionId)) return { ...found, verdict: 'MULTIPLE' };
  if (contentMatch === null) return { ...found, verdict: 'UNREADABLE', reason: 'NOT_COMPARABLE' };
  const finding = { outcome: 'FOUND', externalStatus: 'done', valueFound: null } as const;
  const verdict = judgeFinding('PRESENCE', finding);
  return isLinkable('PRESENCE', { ...finding, verdict, resultId: row.resultId })
    ? { ...found, verdict: 'LINK' }
    : { ...found, verdict: 'UNREADABLE', reason: 'NO_RESULT_ID' };
}

// Forms ask for minutes, so the minute in which it began counts.
const isEarlier = (asOf: string, beganAt: string) =>
  Date.parse(asOf) < Math.floor(Date.parse(beganAt) / 60_000) * 60_000;

/** What the report says of an effect that nobody knows, for whoever settles it. */
function unheld(row: NamedRow, { reading }: ReportGround): FieldComparison[] {
  return reading.content.map((each, index) =>
    compareField(each.expected, ruleOf(each, '0'), null, row.content[index] ?? null),
  );
}

/** How many rows came to what. */
export function sumsOf(rows: readonly Pick<JudgedRow, 'verdict'>[]): Record<ReportVerdict, number> {
  const sums = Object.fromEntries(REPORT_VERDICTS.map((verdict) => [verdict, 0])) as Record<
    ReportVerdict,
    number
  >;
  for (const { verdict } of rows) sums[verdict] += 1;
  return sums;
}
