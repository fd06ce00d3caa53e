import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareGiven, judgeAlone, judgeRow, SHEET_REASONS, type Judged } from './judge-row';
import { CATALOGUE } from './messages/catalogue';
import { LOCALES } from './messages/locales';
import { NewVersions, RecordIds } from './rows-together';
import { headerCells, readHeader, rowOf, SHEET_COLUMNS, type SheetRow } from './sheet-columns';
import { judgementTeller } from './sheet-told';
import { JUDGEMENT_WORDS, SHEET_JUDGEMENTS, stateOf, STATE_WORDS } from './sheet-words';

const BLANK: SheetRow = rowOf([]);
const row = (some: Partial<SheetRow>): SheetRow => ({ ...BLANK, key: 'k', ...some });
const same = { existingVersion: 'v1', newVersion: 'v1' };
const ALONE = { sameRecordId: null, otherNewVersion: null };

const told = (about: SheetRow, locale: 'en' | 'ko') =>
  judgementTeller(locale)(judgeRow(about, ALONE), about).judgement;

describe('the judgement of one row', () => {
  const samples: [string, Partial<SheetRow>, string][] = [
    ['no key', { key: '', existingState: '완료' }, '키누락'],
    ['no existing state', same, '신규대기'],
    ['no existing version', { newVersion: 'v1', existingState: '처리중' }, '대조필요'],
    ['no new version', { existingVersion: 'v1', existingState: '처리중' }, '대조필요'],
    ['other versions', { existingVersion: 'v1', newVersion: 'v2', existingState: '완료' }, '내용충돌'],
    ['complete with a result', { ...same, existingState: '완료', resultId: 'R-1' }, '결과재사용'],
    ['complete without one', { ...same, existingState: '완료' }, '대조필요'],
    ['processing', { ...same, existingState: '처리중' }, '중복보류'],
    ['unknown', { ...same, existingState: '결과미확인' }, '대조필요'],
    ['retryable', { ...same, existingState: '재시도가능' }, '동일키재시도'],
    ['expired', { ...same, existingState: '기록만료', resultId: 'R-1' }, '만료보류'],
  ];

  it.each(samples)('R-093a %s', (_, some, expected) => {
    expect(told(row(some), 'ko')).toBe(expected);
    const english = Object.values(JUDGEMENT_WORDS).find(({ ko }) => ko === expected)?.en;
    expect(told(row(some), 'en')).toBe(english);
  });

  it('R-093a the first that fits counts, however much follows', () => {
    expect(judgeAlone(row({ key: '', existingState: 'what?' }))).toBe('NO_KEY');
    expect(judgeAlone(row({ existingVersion: 'v1', newVersion: 'v2' }))).toBe('NO_STATE');
    expect(judgeAlone(row({ existingVersion: 'v1', existingState: 'what?' }))).toBe('VERSION_MISSING');
    expect(judgeAlone(row({ existingVersion: 'v1', newVersion: 'v2', existingState: 'what?' }))).toBe(
      'VERSIONS_DIFFER',
    );
    expect(judgeAlone(row({ ...same, existingState: 'what?' }))).toBe('STATE_UNREADABLE');
  });

  it('R-093b versions are compared byte for byte, and what shows nothing lets nothing go ahead', () => {
    const completed = { existingState: '완료', resultId: '1' };
    const versions = (existingVersion: string, newVersion: string) =>
      judgeAlone(row({ ...completed, existingVersion, newVersion }));
    expect(versions('1', '01')).toBe('VERSIONS_DIFFER');
    expect(versions('v1', 'V1')).toBe('VERSIONS_DIFFER');
    expect(versions('v1', 'v1 ')).toBe('VERSIONS_DIFFER');
    expect(versions('\u00e9', 'e\u0301')).toBe('VERSIONS_DIFFER');
    expect(versions('\u3000', '\u3000')).toBe('VERSION_MISSING');
    for (const key of ['', ' \u00a0', '\u200b']) expect(judgeAlone(row({ key }))).toBe('NO_KEY');
    expect(judgeAlone(row({ ...same, existingState: '완료', resultId: ' ' }))).toBe('WITHOUT_RESULT');
    for (const existingState of [' ', '\u3000', '\u200b', '완료\u200b', ' 완료'])
      expect(judgeAlone(row({ ...same, existingState }))).toBe('STATE_UNREADABLE');
  });

  it('R-093c reads a state in either language and writes what it reads', () => {
    for (const [state, words] of Object.entries(STATE_WORDS))
      for (const word of [...words.ko, ...words.en]) expect(stateOf(word)).toBe(state);
    expect(stateOf('PROCESSING')).toBe('PROCESSING');
    for (const other of ['', '접수됨', 'RECEIVED', 'FAILED_FINAL', '최종실패', 'constructor'])
      expect(stateOf(other)).toBeNull();
  });

  it('R-093c the words are the desk’s own', () => {
    for (const locale of LOCALES) {
      const { disposition, state } = CATALOGUE[locale].glossary;
      for (const judgement of SHEET_JUDGEMENTS)
        if (judgement !== 'NEW_WAITING')
          expect(JUDGEMENT_WORDS[judgement][locale]).toBe(disposition[judgement]);
      for (const [code, words] of Object.entries(STATE_WORDS))
        expect(words[locale]).toContain(state[code as keyof typeof STATE_WORDS].label);
    }
  });

  it('R-093d every judgement and every error says why, and what to do next, in both languages', () => {
    for (const locale of LOCALES) {
      const { sheet } = CATALOGUE[locale];
      expect(Object.keys(sheet.reason)).toEqual(Object.keys(SHEET_REASONS));
      expect(Object.keys(sheet.next)).toEqual(Object.keys(SHEET_REASONS));
      const about = row({ recordId: '007', existingState: '{odd} <b>' });
      const tell = judgementTeller(locale);
      const unreadable = tell({ kind: 'fault', fault: 'STATE_UNREADABLE', otherRow: null }, about);
      expect(unreadable.reason).toContain('“{odd} <b>”');
      expect(unreadable.next).toContain(STATE_WORDS.EXPIRED[locale][0]);
      const repeated = tell({ kind: 'fault', fault: 'RECORD_ID_REPEATED', otherRow: 1234567 }, about);
      expect(repeated.reason).toContain('007');
      expect(repeated.reason).toContain('1234567');
      expect(repeated.judgement).toBe('');
    }
  });

  it('R-093e the given judgement is compared in either language', () => {
    const reuse: Judged = { kind: 'judged', reason: 'WITH_RESULT', otherRow: null };
    expect(compareGiven('', reuse)).toBe('NONE_GIVEN');
    for (const word of ['결과재사용', 'Result reused', 'result REUSED', 'RESULT_REUSED'])
      expect(compareGiven(word, reuse)).toBe('AGREES');
    expect(compareGiven('신규대기', reuse)).toBe('DIFFERS');
    expect(compareGiven(' 결과재사용', reuse)).toBe('NO_JUDGEMENT');
    const fault: Judged = { kind: 'fault', fault: 'STATE_UNREADABLE', otherRow: null };
    expect(compareGiven('결과재사용', fault)).toBe('DIFFERS');
  });
});

const few = fc.constantFrom('', ' ', 'a', 'b', 'A', '01', '1');

describe('rows together', () => {
  const rows = fc.array(fc.record({ recordId: few, key: few, newVersion: few }), { maxLength: 12 });

  it('R-094a a repeated record id is an error in each of its rows, which names another one', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const ids = new RecordIds();
        all.forEach(({ recordId }, at) => ids.see(recordId, at));
        all.forEach(({ recordId }, at) => {
          const others = all.flatMap((each, other) =>
            other !== at && recordId.trim() !== '' && each.recordId === recordId ? [other] : [],
          );
          expect(ids.otherThan(at, recordId)).toBe(others[0] ?? null);
        });
      }),
    );
    const across = { sameRecordId: 3, otherNewVersion: 4 };
    expect(judgeRow(row(same), across)).toEqual({
      kind: 'fault',
      fault: 'RECORD_ID_REPEATED',
      otherRow: 3,
    });
  });

  it('R-094b a key with several new versions is a conflict in each of its rows', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const versions = new NewVersions();
        all.forEach(({ key, newVersion }, at) => versions.see(key, newVersion, at));
        for (const { key, newVersion } of all) {
          const sameKey = all.filter((each) => each.key === key && key.trim() !== '');
          const distinct = new Set(
            sameKey.map((each) => each.newVersion).filter((each) => each.trim() !== ''),
          );
          const other = versions.otherThan(newVersion, key);
          expect(other !== null).toBe(distinct.size > 1);
          if (other === null) continue;
          expect(all[other]?.key).toBe(key);
          expect(all[other]?.newVersion).not.toBe(newVersion);
        }
      }),
    );
    const across = { sameRecordId: null, otherNewVersion: 9 };
    const reasonOf = (some: Partial<SheetRow>) => {
      const judged = judgeRow(row(some), across);
      return judged.kind === 'fault' ? judged.fault : judged.reason;
    };
    expect(reasonOf({ newVersion: 'v1' })).toBe('SEVERAL_NEW_VERSIONS');
    expect(reasonOf({ newVersion: 'v1', existingState: '완료' })).toBe('SEVERAL_NEW_VERSIONS');
    expect(reasonOf({ ...same, newVersion: 'v2', existingState: '완료' })).toBe('VERSIONS_DIFFER');
    expect(reasonOf({ ...same, existingState: '?' })).toBe('STATE_UNREADABLE');
  });

  it('R-094b a row of the executed version keeps its judgement, and names the row that disagrees', () => {
    const about = row({ ...same, existingState: '완료', resultId: 'R-1' });
    const judged = judgeRow(about, { sameRecordId: null, otherNewVersion: 9 });
    expect(judged).toEqual({ kind: 'judged', reason: 'WITH_RESULT', otherRow: 9 });
    for (const locale of LOCALES) expect(judgementTeller(locale)(judged, about).reason).toMatch(/\b9/);
  });
});

describe('the nine columns', () => {
  it('R-092a have Korean and English headers, and no others', () => {
    expect(headerCells('ko').join()).toBe('기록ID,요청ID,실행키,기존버전,새버전,기존상태,결과ID,판정,담당자');
    for (const locale of LOCALES) expect(readHeader(headerCells(locale))).toEqual({ ok: true, locale });
    expect(readHeader(headerCells('en').map((name) => name.toUpperCase().replaceAll(' ', '_')))).toEqual({
      ok: true,
      locale: 'en',
    });
    const swapped = [...headerCells('ko')];
    [swapped[3], swapped[4]] = ['새버전', '기존버전'];
    expect(readHeader(swapped)).toEqual({ ok: false, column: 4 });
    expect(readHeader(headerCells('en').slice(0, 8))).toEqual({ ok: false, column: 9 });
    expect(readHeader([...headerCells('en'), 'tenantId'])).toEqual({ ok: false, column: 10 });
  });

  it('R-092b each value keeps its place and every character', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 9, maxLength: 9 }), (cells) => {
        const about = rowOf(cells);
        expect(SHEET_COLUMNS.map((column) => about[column])).toEqual(cells);
      }),
    );
  });
});
