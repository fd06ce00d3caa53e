import { createTranslator } from 'use-intl/core';
import { CATALOGUE, type Locale } from './messages/catalogue';
import { SHEET_REASONS, type Judged } from './judge-row';
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
  return (judged, row) => {
    // As text: a row's number is the one of its line in the spreadsheet, without separators.
    const other = { row: String(judged.otherRow) };
    if (judged.kind === 'judged')
      return {
        judgement: JUDGEMENT_WORDS[SHEET_REASONS[judged.reason]][locale],
        reason: t(`reason.${judged.reason}`, other),
        next: t(`next.${judged.reason}`),
      };
    const whole = judged.fault === 'STATE_UNREADABLE' ? row.existingState : row.recordId;
    const value = visibleText(whole.length > TOLD_LENGTH ? `${whole.slice(0, TOLD_LENGTH)}…` : whole);
    return {
      judgement: '',
      reason: t(`fault.${judged.fault}`, { ...other, value }),
      next: t(`faultNext.${judged.fault}`, { states }),
    };
  };
}
