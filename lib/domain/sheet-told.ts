import { createTranslator } from 'use-intl/core';
import { CATALOGUE, type Locale } from './messages/catalogue';
import { SHEET_REASONS, type Judged, type SheetReason } from './judge-row';
import type { SheetRow } from './sheet-columns';
import { JUDGEMENT_WORDS, STATE_WORDS } from './sheet-words';
import { visibleText } from './visible-text';

/** Characters of a value that are repeated in words: enough to find it. */
const TOLD_LENGTH = 60;

export interface ToldJudgement {
  /** The word of the sheet; empty where the row has no judgement. */
  readonly judgement: string;
  readonly reason: string;
  readonly next: string;
}

/** Judgements in words, for one language; made once and used for every row. */
export function judgementTeller(locale: Locale): (judged: Judged, row: SheetRow) => ToldJudgement {
  const t = createTranslator({ locale, messages: CATALOGUE[locale], namespace: 'sheet' });
  const states = Object.values(STATE_WORDS)
    .map((words) => words[locale][0])
    .join(', ');
  const of = (reason: SheetReason, row: string): ToldJudgement => ({
    judgement: JUDGEMENT_WORDS[SHEET_REASONS[reason]][locale],
    reason: t(`reason.${reason}`, { row }),
    next: t(`next.${reason}`),
  });
  // Of a million rows nearly all say one of eleven things: each is put into words once.
  const alone = new Map<SheetReason, ToldJudgement>();
  return (judged, row) => {
    // As text: a row's number is the one that its spreadsheet shows, without separators.
    const other = String(judged.otherRow);
    if (judged.kind === 'fault') {
      const value = shortened(judged.fault === 'STATE_UNREADABLE' ? row.existingState : row.recordId);
      return {
        judgement: '',
        reason: t(`fault.${judged.fault}`, { row: other, value }),
        next: t(`faultNext.${judged.fault}`, { states }),
      };
    }
    const { reason, otherRow } = judged;
    if (reason === 'SEVERAL_NEW_VERSIONS') return of(reason, other);
    const told = alone.get(reason) ?? of(reason, other);
    alone.set(reason, told);
    if (otherRow === null) return told;
    return { ...told, reason: `${told.reason} ${t('reason.SEVERAL_NEW_VERSIONS', { row: other })}` };
  };
}

const shortened = (value: string) =>
  visibleText(value.length > TOLD_LENGTH ? `${value.slice(0, TOLD_LENGTH)}…` : value);
