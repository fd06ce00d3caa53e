import type { Locale } from './messages/locales';

/** The record sheet's nine columns, in their order. Source: domain, section 11. */
export const SHEET_COLUMNS = [
  'recordId',
  'requestId',
  'key',
  'existingVersion',
  'newVersion',
  'existingState',
  'resultId',
  'judgement',
  'owner',
] as const;
export type SheetColumn = (typeof SHEET_COLUMNS)[number];

/** What a row says, each value byte for byte as it stands in the sheet; a blank one is the empty text. */
export type SheetRow = Readonly<Record<SheetColumn, string>>;

/** The headers are part of the file's form, and no message: a sheet that has others is another sheet. */
export const SHEET_HEADERS: Readonly<Record<Locale, Readonly<Record<SheetColumn, string>>>> = {
  ko: {
    recordId: '기록ID',
    requestId: '요청ID',
    key: '실행키',
    existingVersion: '기존버전',
    newVersion: '새버전',
    existingState: '기존상태',
    resultId: '결과ID',
    judgement: '판정',
    owner: '담당자',
  },
  en: {
    recordId: 'Record ID',
    requestId: 'Request ID',
    key: 'Execution key',
    existingVersion: 'Existing version',
    newVersion: 'New version',
    existingState: 'Existing state',
    resultId: 'Result ID',
    judgement: 'Judgement',
    owner: 'Assignee',
  },
};

export type HeaderReading =
  | { readonly ok: true; readonly locale: Locale }
  /** `column` counts from 1: the first that has another name than the sheet's. */
  | { readonly ok: false; readonly column: number };

/** Each name in either language; case, blanks, `_` and `-` do not matter in it. The language is the first name's. */
export function readHeader(names: readonly string[]): HeaderReading {
  const wrong = SHEET_COLUMNS.findIndex((column, at) => !isNameOf(column, names[at] ?? ''));
  if (wrong !== -1) return { ok: false, column: wrong + 1 };
  if (names.length !== SHEET_COLUMNS.length) return { ok: false, column: SHEET_COLUMNS.length + 1 };
  return { ok: true, locale: folded(names[0] ?? '') === folded(SHEET_HEADERS.ko.recordId) ? 'ko' : 'en' };
}

const isNameOf = (column: SheetColumn, name: string) =>
  [SHEET_HEADERS.ko[column], SHEET_HEADERS.en[column]].some((known) => folded(known) === folded(name));

const folded = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');

/** The row that nine cells are; the caller has counted them. */
export function rowOf(cells: readonly string[]): SheetRow {
  const [recordId = '', requestId = '', key = '', existingVersion = '', newVersion = '', ...rest] = cells;
  const [existingState = '', resultId = '', judgement = '', owner = ''] = rest;
  return {
    recordId,
    requestId,
    key,
    existingVersion,
    newVersion,
    existingState,
    resultId,
    judgement,
    owner,
  };
}

export const cellsOf = (row: SheetRow): readonly string[] => SHEET_COLUMNS.map((column) => row[column]);
export const headerCells = (locale: Locale): readonly string[] => cellsOf(SHEET_HEADERS[locale]);
