import { createTranslator } from 'use-intl/core';
import { judgeAgainstLedger, type LedgerRecord } from '@/lib/domain/judge-against-ledger';
import { CATALOGUE, type Locale } from '@/lib/domain/messages/catalogue';
import { judgementTeller } from '@/lib/domain/sheet-told';
import type { JudgedRow } from '@/lib/review/sheet/judge-sheet';

/** What the ledger has under these keys. */
export type ReadLedger = (keys: readonly string[]) => Promise<ReadonlyMap<string, LedgerRecord>>;

/** What the ledger says of each row, beside what the sheet says; the sheet's own judgement stays. */
export class LedgerColumns {
  private readonly t;
  private readonly words;
  private readonly tell;
  private differences = 0;

  constructor(
    locale: Locale,
    private readonly read: ReadLedger,
  ) {
    this.t = createTranslator({ locale, messages: CATALOGUE[locale], namespace: 'sheet' });
    this.words = CATALOGUE[locale];
    this.tell = judgementTeller(locale);
  }

  get headers(): readonly string[] {
    const { list } = this.words.sheet;
    return [
      list.ledgerState,
      list.ledgerVersion,
      list.ledgerResult,
      list.ledgerJudgement,
      list.ledgerComparison,
    ];
  }

  /** The further cells of each row, in one reading for all of them. */
  async cells(rows: readonly JudgedRow[]): Promise<readonly (readonly string[])[]> {
    const records = await this.read(rows.map(({ values }) => values.key));
    return rows.map(({ values, across, judged }) => {
      const record = records.get(values.key) ?? null;
      const against = judgeAgainstLedger(values, across, judged, record);
      if (against.comparison === 'DIFFERS') this.differences += 1;
      return [
        record === null ? '' : this.stateOf(record),
        record?.contentVersion ?? '',
        record?.resultId ?? '',
        this.tell(against.judged, values).judgement,
        this.words.sheet.ledger[against.comparison],
      ];
    });
  }

  get told(): string {
    return this.t('summary.ledger', { count: this.differences });
  }

  private stateOf({ state, isSuperseded }: LedgerRecord): string {
    const { glossary } = this.words;
    return isSuperseded ? glossary.disposition.SUPERSEDED : glossary.state[state].label;
  }
}
