import type { Locale } from './messages/locales';
import { rowOf, type SheetRow } from './sheet-columns';
import { JUDGEMENT_WORDS, STATE_WORDS, type SheetJudgement, type SheetState } from './sheet-words';

interface Sample {
  readonly key: string;
  readonly existing: string;
  readonly state: SheetState | null;
  readonly result: string;
  readonly wanted: string;
  readonly judgement: SheetJudgement;
}

/** One of each case that people meet, with the judgement that it comes to. */
const SAMPLES: readonly Sample[] = [
  { key: 'order-0001', existing: '', wanted: 'v1', state: null, result: '', judgement: 'NEW_WAITING' },
  {
    key: 'order-0002',
    existing: 'v1',
    wanted: 'v1',
    state: 'SUCCEEDED',
    result: '000417',
    judgement: 'RESULT_REUSED',
  },
  {
    key: 'order-0003',
    existing: 'v1',
    wanted: 'v1',
    state: 'PROCESSING',
    result: '',
    judgement: 'DUPLICATE_HELD',
  },
  {
    key: 'order-0002',
    existing: 'v1',
    wanted: 'v2',
    state: 'SUCCEEDED',
    result: '000417',
    judgement: 'CONTENT_CONFLICT',
  },
  { key: '', existing: '', wanted: 'v1', state: null, result: '', judgement: 'KEY_MISSING' },
  {
    key: 'order-0006',
    existing: 'v1',
    wanted: 'v1',
    state: 'UNKNOWN',
    result: '',
    judgement: 'RECONCILE_REQUIRED',
  },
  {
    key: 'order-0007',
    existing: 'v1',
    wanted: 'v1',
    state: 'FAILED_RETRYABLE',
    result: '',
    judgement: 'RETRY_SAME_KEY',
  },
  {
    key: 'order-0008',
    existing: 'v1',
    wanted: 'v1',
    state: 'EXPIRED',
    result: '000398',
    judgement: 'RECORD_EXPIRED',
  },
];

/** The rows of the template: to be looked at and written over. */
export const templateRows = (locale: Locale): readonly SheetRow[] =>
  SAMPLES.map(({ key, existing, wanted, state, result, judgement }, index) =>
    rowOf([
      `SAMPLE-${index + 1}`,
      `REQ-000${index + 1}`,
      key,
      existing,
      wanted,
      state === null ? '' : STATE_WORDS[state][locale][0],
      result,
      JUDGEMENT_WORDS[judgement][locale],
      '',
    ]),
  );
