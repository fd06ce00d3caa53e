import { createReadStream } from 'node:fs';
import { createTranslator } from 'use-intl/core';
import { csvRows, CSV_START } from '@/lib/domain/csv';
import { compareGiven, ROW_FAULTS, SHEET_REASONS, type GivenComparison } from '@/lib/domain/judge-row';
import { CATALOGUE, type Locale } from '@/lib/domain/messages/catalogue';
import { SHEET_COLUMNS, SHEET_HEADERS } from '@/lib/domain/sheet-columns';
import type { SheetFault } from '@/lib/domain/sheet-faults';
import { judgementTeller } from '@/lib/domain/sheet-told';
import { JUDGEMENT_WORDS, SHEET_JUDGEMENTS, type SheetJudgement } from '@/lib/domain/sheet-words';
import { visibleText } from '@/lib/domain/visible-text';
import { sheetRows, sheetStart } from '@/lib/review/sheet/export-sheet';
import { judgeSheet, type JudgedRow, type WholeSheet } from '@/lib/review/sheet/judge-sheet';
import { LedgerColumns, type ReadLedger } from './ledger-columns';
import type { Outlet } from './write-file';

export interface SheetFileAsked {
  readonly file: string;
  readonly locale: Locale;
  readonly confirmed: 'cp949' | null;
}

export interface SheetOutlets {
  readonly judgements: Outlet;
  readonly errors: Outlet | null;
  /** The nine columns again, as they can be read back. */
  readonly sheet: Outlet | null;
}

export interface SheetOutcome {
  readonly exitCode: 0 | 1 | 2;
  readonly told: readonly string[];
}

/** Errors that are told on the screen as well. */
const ERRORS_TOLD = 20;

/**
 * Judges a file and writes what came of it: 0 when every row has its judgement, 1 when some have an error, 2 when refused.
 * With `read`, each row is held against the ledger as well.
 */
export async function judgeSheetFile(
  asked: SheetFileAsked,
  to: SheetOutlets,
  read: ReadLedger | null,
): Promise<SheetOutcome> {
  const telling = new Telling(asked.locale, read === null ? null : new LedgerColumns(asked.locale, read));
  const answer = await judgeSheet(
    () => createReadStream(asked.file),
    asked.confirmed,
    (sheet) => writeJudged(sheet, telling, to),
  );
  if (answer.kind === 'judged') return telling.outcome();
  await to.errors?.write(telling.errorStart);
  const faults = answer.faults.map((fault) => telling.fault(fault));
  await to.errors?.write(faults.join(''));
  return telling.refusal(answer.faults.length);
}

async function writeJudged(sheet: WholeSheet, telling: Telling, to: SheetOutlets): Promise<void> {
  await to.judgements.write(telling.judgementStart);
  await to.errors?.write(telling.errorStart);
  await to.sheet?.write(sheetStart(sheet.locale));
  for await (const rows of sheet.judged()) {
    const { judgements, errors } = await telling.rows(rows);
    await to.judgements.write(judgements);
    await to.errors?.write(errors);
    await to.sheet?.write(sheetRows(rows.map(({ values }) => values)));
  }
}

/** What is said of a sheet, in one language, and how often. */
class Telling {
  private readonly t;
  private readonly tell;
  private readonly headers;
  private readonly given;
  private readonly judgements = new Map<SheetJudgement, number>();
  private readonly screen: string[] = [];
  private count = 0;
  private errors = 0;
  private differences = 0;

  constructor(
    private readonly locale: Locale,
    private readonly ledger: LedgerColumns | null,
  ) {
    this.t = createTranslator({ locale, messages: CATALOGUE[locale], namespace: 'sheet' });
    this.tell = judgementTeller(locale);
    this.headers = SHEET_HEADERS[locale];
    this.given = CATALOGUE[locale].sheet.given;
  }

  get judgementStart(): string {
    const { recordId, requestId, key, judgement } = this.headers;
    const { t } = this;
    const ours = [t('list.given'), t('list.comparison'), t('list.reason'), t('list.next')];
    const theirs = this.ledger?.headers ?? [];
    return CSV_START + csvRows([[t('list.row'), recordId, requestId, key, judgement, ...ours, ...theirs]]);
  }

  get errorStart(): string {
    const { t } = this;
    const ours = [t('list.row'), t('list.column'), t('list.columnName'), t('list.error'), t('list.next')];
    return CSV_START + csvRows([ours]);
  }

  /** A batch as rows of both files. */
  async rows(rows: readonly JudgedRow[]): Promise<{ judgements: string; errors: string }> {
    const errors: string[][] = [];
    const byLedger = await this.ledger?.cells(rows);
    const judgements = rows.map(({ row, values, judged }, at) => {
      const { judgement, reason, next } = this.tell(judged, values);
      const comparison = compareGiven(values.judgement, judged);
      this.add(comparison, judged.kind === 'judged' ? SHEET_REASONS[judged.reason] : null);
      if (judged.kind === 'fault')
        errors.push(this.error(row, SHEET_COLUMNS.indexOf(ROW_FAULTS[judged.fault]) + 1, reason, next));
      const { recordId, requestId, key, judgement: given } = values;
      const compared = this.given[comparison];
      const own = [String(row), recordId, requestId, key, judgement, given, compared, reason, next];
      return [...own, ...(byLedger?.[at] ?? [])];
    });
    return { judgements: csvRows(judgements), errors: csvRows(errors) };
  }

  /** A fault of the file as a row of its errors. */
  fault({ code, row, column, found }: SheetFault): string {
    const text = this.t(`refused.${code}`, { found: visibleText(found ?? '') });
    return csvRows([this.error(row, column, text, '')]);
  }

  outcome(): SheetOutcome {
    const { t } = this;
    const each = SHEET_JUDGEMENTS.flatMap((judgement) => {
      const count = this.judgements.get(judgement) ?? 0;
      return count === 0
        ? []
        : [`  ${t('summary.judgement', { word: JUDGEMENT_WORDS[judgement][this.locale], count })}`];
    });
    const told = [
      t('summary.rows', { count: this.count }),
      ...each,
      t('summary.differences', { count: this.differences }),
      ...(this.ledger === null ? [] : [this.ledger.told]),
      t('summary.errors', { count: this.errors }),
      ...this.shown(),
    ];
    return { exitCode: this.errors > 0 ? 1 : 0, told };
  }

  refusal(count: number): SheetOutcome {
    return { exitCode: 2, told: [this.t('summary.refused', { count }), ...this.shown()] };
  }

  private add(comparison: GivenComparison, judgement: SheetJudgement | null): void {
    this.count += 1;
    if (comparison === 'DIFFERS' || comparison === 'NO_JUDGEMENT') this.differences += 1;
    if (judgement !== null) this.judgements.set(judgement, (this.judgements.get(judgement) ?? 0) + 1);
  }

  private error(row: number, column: number | null, text: string, next: string): string[] {
    this.errors += 1;
    const at = column === null ? undefined : SHEET_COLUMNS[column - 1];
    const name = at === undefined ? undefined : this.headers[at];
    if (this.errors <= ERRORS_TOLD)
      this.screen.push(
        name === undefined
          ? this.t('summary.errorOfRow', { row: String(row), text })
          : this.t('summary.error', { row: String(row), column: String(column), name, text }),
      );
    return [String(row), column === null ? '' : String(column), name ?? '', text, next];
  }

  private shown(): readonly string[] {
    const rest = this.errors - this.screen.length;
    return rest > 0 ? [...this.screen, this.t('summary.more', { count: rest })] : this.screen;
  }
}
