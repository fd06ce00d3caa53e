import { type IncidentOperation } from '@/lib/domain/incident-view';
import { type MatchValue, type ReportReading } from '@/lib/domain/report-reading';

export interface ContentDraft {
  readonly expected: string;
  readonly column: string;
  readonly match: 'exact' | 'caseless' | 'numeric';
  readonly decimals: string;
  readonly required: boolean;
}

/** What the form holds before it is sent. */
export interface ReportDraft {
  readonly operation: string;
  readonly asOf: string;
  readonly matchValue: MatchValue;
  readonly match: string;
  readonly resultId: string;
  readonly status: string;
  readonly account: string;
  readonly fixedAccount: string;
  readonly done: string;
  readonly pending: string;
  readonly failed: string;
  readonly reversed: string;
  readonly content: readonly ContentDraft[];
}

export function newDraft(operation: IncidentOperation | undefined): ReportDraft {
  return {
    operation: operation?.operation ?? '',
    asOf: '',
    matchValue: 'key',
    ...{ match: '', resultId: '', status: '', account: '', fixedAccount: '' },
    ...{ done: '', pending: '', failed: '', reversed: '' },
    content: contentOf(operation),
  };
}

/** What the connector compares comes first and has to be named; the other fields may be. */
export function contentOf(operation: IncidentOperation | undefined): ContentDraft[] {
  const { compared = [], shown = [] } = operation ?? {};
  return [...new Set([...compared, ...shown])].map((expected) => ({
    expected,
    column: '',
    match: 'exact',
    decimals: '0',
    required: compared.includes(expected),
  }));
}

/** Names of the fields that are still missing. */
export function missingIn(draft: ReportDraft): string[] {
  const missing = (['operation', 'asOf', 'match', 'resultId', 'status', 'done'] as const).filter(
    (name) => draft[name].trim() === '',
  );
  const account = (draft.account === '') === (draft.fixedAccount === '') ? ['account'] : [];
  const named = draft.content.filter((each) => each.column !== '');
  const content = named.length === 0 || draft.content.some((each) => each.required && each.column === '');
  return [...missing, ...account, ...(content ? ['content'] : [])];
}

/** As the server takes it; a word list is written with commas. */
export function readingOf(draft: ReportDraft): ReportReading {
  const words = (text: string) =>
    text
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '');
  return {
    matchValue: draft.matchValue,
    columns: {
      match: draft.match,
      resultId: draft.resultId,
      status: draft.status,
      account: draft.account === '' ? null : draft.account,
    },
    fixedAccount: draft.fixedAccount === '' ? null : draft.fixedAccount,
    content: draft.content
      .filter(({ column }) => column !== '')
      .map(({ expected, column, match, decimals }) => ({
        expected,
        column,
        match,
        decimals: match === 'numeric' ? Number(decimals) : 0,
      })),
    statuses: {
      done: words(draft.done),
      pending: words(draft.pending),
      failed: words(draft.failed),
      reversed: words(draft.reversed),
    },
  };
}
