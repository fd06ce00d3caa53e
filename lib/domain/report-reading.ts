import { z } from 'zod';
import type { FieldRule } from './compare-content';
import { placeholder } from './connector-template';
import type { ExternalStatus } from './lookup-verdict';
import type { ReportFile } from './report-file';

/** By which of the execution's own values a row names it. */
export const MATCH_VALUES = ['key', 'externalRequestKey', 'businessRef'] as const;
export type MatchValue = (typeof MATCH_VALUES)[number];

const column = z.string().min(1).max(100);
const words = z.array(z.string().min(1).max(100)).max(50).default([]);

const contentColumn = z
  .strictObject({
    /** The execution's value: `{display:/amount}`, `{businessRef}`, … */
    expected: placeholder,
    column,
    match: z.enum(['exact', 'caseless', 'numeric']),
    /** For `numeric`: the report counts hundredths (2), thousandths (3), … */
    decimals: z.number().int().min(0).max(6).default(0),
  })
  .refine(({ match, decimals }) => match === 'numeric' || decimals === 0, { path: ['decimals'] });

/** Which column of a report holds what, and which of its words mean what. No other column is kept. */
export const reportReading = z
  .strictObject({
    matchValue: z.enum(MATCH_VALUES),
    columns: z.strictObject({ match: column, resultId: column, status: column, account: column.nullable() }),
    /** The account of every row, where no column names it. */
    fixedAccount: z.string().min(1).max(200).nullable(),
    /** At least one: a row whose content was not compared is never linked. */
    content: z.array(contentColumn).min(1).max(20),
    statuses: z.strictObject({
      done: words.pipe(z.array(z.string()).min(1)),
      pending: words,
      failed: words,
      reversed: words,
    }),
  })
  .refine(({ columns, fixedAccount }) => (columns.account === null) !== (fixedAccount === null), {
    path: ['fixedAccount'],
  })
  .refine(({ statuses }) => areDifferent(Object.values(statuses).flat()), { path: ['statuses'] })
  .refine(({ content }) => areDifferent(content.map(({ expected }) => expected)), { path: ['content'] });
export type ReportReading = z.infer<typeof reportReading>;

const areDifferent = (texts: readonly string[]) => new Set(texts).size === texts.length;

/** The values of one row that were named. */
export interface NamedRow {
  readonly rowNumber: number;
  readonly matchValue: string;
  readonly resultId: string;
  readonly statusWord: string;
  readonly account: string;
  /** In the order of the reading's content. */
  readonly content: readonly string[];
}

/** Names of the reading that the file does not have. */
export function missingColumns(reading: ReportReading, columns: readonly string[]): string[] {
  return [...new Set(namesOf(reading))].filter((name) => !columns.includes(name));
}

function namesOf({ columns, content }: ReportReading): string[] {
  const { match, resultId, status, account } = columns;
  return [
    match,
    resultId,
    status,
    ...(account === null ? [] : [account]),
    ...content.map((each) => each.column),
  ];
}

/** Takes the named values out of each row; the caller has seen that every column is there. */
export function namedRows(reading: ReportReading, file: Extract<ReportFile, { ok: true }>): NamedRow[] {
  const at = new Map(file.columns.map((name, index) => [name, index]));
  const cell = (cells: readonly string[], name: string) => cells[at.get(name) ?? -1] ?? '';
  const { columns, fixedAccount, content } = reading;
  return file.rows.map(({ line, cells }) => ({
    rowNumber: line,
    matchValue: cell(cells, columns.match),
    resultId: cell(cells, columns.resultId),
    statusWord: cell(cells, columns.status),
    account: columns.account === null ? (fixedAccount ?? '') : cell(cells, columns.account),
    content: content.map((each) => cell(cells, each.column)),
  }));
}

/** What the report's word means; null when nobody said. */
export function statusOf(reading: ReportReading, word: string): ExternalStatus | null {
  const entry = Object.entries(reading.statuses).find(([, listed]) => listed.includes(word));
  return (entry?.[0] as ExternalStatus | undefined) ?? null;
}

/** How a content column is held against the execution; the tolerance is the connector's, never the person's. */
export function ruleOf(named: ReportReading['content'][number], tolerance: string): FieldRule {
  return named.match === 'numeric'
    ? { kind: 'numeric', tolerance, decimals: named.decimals }
    : { kind: named.match };
}

/** Texts that can stand as an id: one line of characters that are seen, 1 to 255, no blank at its ends. */
export const isId = (text: string): boolean =>
  text.length >= 1 && text.length <= 255 && !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|^\s|\s$/u.test(text);

/** As spreadsheets write long numbers: digits of it are lost (B-112). */
export const isShortened = (text: string): boolean => /^\d(?:[.,]\d+)?E\+\d+$/i.test(text);
