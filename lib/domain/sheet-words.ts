import type { Locale } from './messages/locales';
import type { ExecutionState } from './states';

/** What a row of the record sheet comes to: the dispositions of the same name, and a new one that waits. */
export const SHEET_JUDGEMENTS = [
  'KEY_MISSING',
  'NEW_WAITING',
  'RECONCILE_REQUIRED',
  'CONTENT_CONFLICT',
  'RESULT_REUSED',
  'DUPLICATE_HELD',
  'RETRY_SAME_KEY',
  'RECORD_EXPIRED',
] as const;
export type SheetJudgement = (typeof SHEET_JUDGEMENTS)[number];

/** As they stand in a sheet; a test holds them against the desk's own words. */
export const JUDGEMENT_WORDS: Readonly<Record<SheetJudgement, Readonly<Record<Locale, string>>>> = {
  KEY_MISSING: { ko: '키누락', en: 'Key missing' },
  NEW_WAITING: { ko: '신규대기', en: 'New, waiting' },
  RECONCILE_REQUIRED: { ko: '대조필요', en: 'Reconcile required' },
  CONTENT_CONFLICT: { ko: '내용충돌', en: 'Content conflict' },
  RESULT_REUSED: { ko: '결과재사용', en: 'Result reused' },
  DUPLICATE_HELD: { ko: '중복보류', en: 'Duplicate held' },
  RETRY_SAME_KEY: { ko: '동일키재시도', en: 'Retry with the same key' },
  RECORD_EXPIRED: { ko: '만료보류', en: 'Record expired' },
};

/** States that a row can be judged by; of any other a person has to say what it means. */
export type SheetState = Extract<
  ExecutionState,
  'SUCCEEDED' | 'PROCESSING' | 'UNKNOWN' | 'FAILED_RETRYABLE' | 'EXPIRED'
>;

/** The first word of each language is what we write ourselves; the others are read as well. */
export const STATE_WORDS: Readonly<
  Record<SheetState, Readonly<Record<Locale, readonly [string, ...string[]]>>>
> = {
  SUCCEEDED: { ko: ['완료'], en: ['Succeeded', 'Complete'] },
  PROCESSING: { ko: ['처리중', '처리 중'], en: ['Processing'] },
  UNKNOWN: { ko: ['결과미확인', '결과 미확인'], en: ['Result unknown', 'Unknown'] },
  FAILED_RETRYABLE: { ko: ['재시도가능', '재시도 가능'], en: ['Retryable', 'FAILED_RETRYABLE'] },
  EXPIRED: { ko: ['기록만료', '기록 만료'], en: ['Record expired', 'Expired'] },
};

const lower = (word: string) => word.toLowerCase();

const STATES = new Map(
  Object.entries(STATE_WORDS).flatMap(([state, { ko, en }]) =>
    // The entries of a closed table have its keys.
    [...ko, ...en].map((word) => [lower(word), state as SheetState]),
  ),
);

const JUDGEMENTS = new Map(
  SHEET_JUDGEMENTS.flatMap((judgement) => {
    const { ko, en } = JUDGEMENT_WORDS[judgement];
    return [ko, en, judgement].map((word) => [lower(word), judgement]);
  }),
);

/** The state that a word names, in either language, whatever its case; nothing is trimmed or guessed. */
export const stateOf = (word: string): SheetState | null => STATES.get(lower(word)) ?? null;

/** The judgement that a word names, read like a state. */
export const judgementOf = (word: string): SheetJudgement | null => JUDGEMENTS.get(lower(word)) ?? null;
