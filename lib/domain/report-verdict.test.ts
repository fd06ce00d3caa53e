import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reportReading, type NamedRow, type ReportReading } from './report-reading';
import {
  judgeReport,
  sumsOf,
  type JudgedRow,
  type KnownExecution,
  type ReportGround,
} from './report-verdict';

const reading: ReportReading = {
  matchValue: 'key',
  columns: { match: 'reference', resultId: 'id', status: 'status', account: 'account' },
  fixedAccount: null,
  content: [{ expected: '{display:/amount}', column: 'amount', match: 'numeric', decimals: 0 }],
  statuses: { done: ['ok'], pending: ['wait'], failed: ['no'], reversed: ['back'] },
};
const row = (change: Partial<NamedRow> = {}): NamedRow => ({
  rowNumber: 2,
  matchValue: 'key-1',
  resultId: 'pay-1',
  statusWord: 'ok',
  account: 'main',
  content: ['10.00'],
  ...change,
});
const execution = (
  key: string,
  change: Partial<KnownExecution> & { account?: string | null; amount?: string } = {},
): KnownExecution => {
  const { account = 'main', amount = '10', ...rest } = change;
  return {
    executionId: `execution of ${key}`,
    executionVersion: '3',
    exceptionId: `exception of ${key}`,
    beganAt: '2026-01-01T08:00:30.500000Z',
    isSettled: false,
    subject: {
      system: 'payment',
      account,
      key,
      requestId: null,
      externalRequestKey: null,
      externalJobId: null,
      businessRef: null,
      contentVersion: null,
      resultId: null,
      display: { '/amount': amount },
    },
    ...rest,
  };
};
const ground = (executions: readonly KnownExecution[], change: Partial<ReportGround> = {}): ReportGround => ({
  reading,
  tolerances: new Map(),
  known: (value) => executions.filter(({ subject }) => subject.key === value),
  asOf: '2026-01-02T00:00:00Z',
  isKnownResult: () => false,
  ...change,
});
const judge = (rows: readonly NamedRow[], about = ground([execution('key-1')])) => judgeReport(rows, about);
const verdict = (each: JudgedRow) => (each.reason === null ? each.verdict : each.reason);

describe('the verdict on a row of a report', () => {
  it('R-056d is LINK where one finished effect agrees in account and content, and nowhere else', () => {
    const cases: [Partial<NamedRow>, string][] = [
      [{}, 'LINK'],
      [{ statusWord: 'wait' }, 'PENDING'],
      [{ statusWord: 'no' }, 'FAILED'],
      [{ statusWord: 'back' }, 'REVERSED'],
      [{ statusWord: 'OK' }, 'STATUS_UNLISTED'],
      [{ statusWord: '' }, 'STATUS_UNLISTED'],
      [{ account: 'other' }, 'MISMATCH'],
      [{ content: ['10.01'] }, 'MISMATCH'],
      [{ content: ['ten'] }, 'NOT_COMPARABLE'],
      [{ content: [''] }, 'NOT_COMPARABLE'],
      [{ resultId: '' }, 'NO_RESULT_ID'],
      [{ resultId: 'a\nb' }, 'BAD_TEXT'],
      [{ resultId: 'x'.repeat(256) }, 'BAD_TEXT'],
      [{ account: '' }, 'BAD_TEXT'],
      [{ matchValue: '' }, 'NO_MATCH_VALUE'],
      [{ matchValue: 'nobody' }, 'ORPHAN'],
      [{ matchValue: 'nobody', statusWord: 'no' }, 'FAILED'],
      [{ account: 'password: hunter2-hunter2' }, 'SECRET'],
    ];
    for (const [change, said] of cases)
      expect([change, judge([row(change)]).map(verdict)]).toEqual([change, [said]]);
    expect(judge([row({ account: 'password: hunter2-hunter2' })])[0]).toMatchObject({
      matchValue: null,
      account: null,
    });
  });

  it('R-056d follows what the ledger knows of the execution', () => {
    const about = (change: Parameters<typeof execution>[1]) =>
      judge([row()], ground([execution('key-1', change)])).map(verdict);
    expect(about({ isSettled: true })).toEqual(['SETTLED']);
    expect(about({ exceptionId: null })).toEqual(['OUTSIDE']);
    expect(about({ account: null })).toEqual(['LINK']);
    expect(judge([row()], ground([execution('key-1'), execution('key-1')])).map(verdict)).toEqual([
      'MULTIPLE',
    ]);
    expect(
      judge([row({ matchValue: 'x' })], ground([], { isKnownResult: (id) => id === 'pay-1' })).map(verdict),
    ).toEqual(['SETTLED']);
    const tolerant = ground([execution('key-1')], { tolerances: new Map([['{display:/amount}', '0.05']]) });
    expect(
      judge([row({ content: ['10.05'] }), row({ content: ['10.06'] })].slice(0, 1), tolerant).map(verdict),
    ).toEqual(['LINK']);
    expect(judge([row({ content: ['10.06'] })], tolerant).map(verdict)).toEqual(['MISMATCH']);
  });

  it('R-056d leaves two rows for one execution, or for one result, to people', () => {
    const both = ground([execution('key-1'), execution('key-2')]);
    const two = (a: Partial<NamedRow>, b: Partial<NamedRow>) =>
      judge([row(a), row({ rowNumber: 3, ...b })], both).map(verdict);
    expect(two({}, { resultId: 'pay-2' })).toEqual(['MULTIPLE', 'MULTIPLE']);
    expect(two({}, { statusWord: 'back' })).toEqual(['MULTIPLE', 'REVERSED']);
    expect(two({}, { statusWord: 'wait' })).toEqual(['MULTIPLE', 'PENDING']);
    // A failed try is no second effect.
    expect(two({}, { statusWord: 'no' })).toEqual(['LINK', 'FAILED']);
    expect(two({}, { matchValue: 'key-2' })).toEqual(['MULTIPLE', 'MULTIPLE']);
    expect(two({}, { matchValue: 'key-2', resultId: 'pay-2' })).toEqual(['LINK', 'LINK']);
    // Of another row's effect, whatever became of it.
    expect(two({}, { matchValue: 'key-2', statusWord: 'back' })).toEqual(['MULTIPLE', 'REVERSED']);
    expect(two({}, { matchValue: 'key-2', statusWord: 'else' })).toEqual(['MULTIPLE', 'STATUS_UNLISTED']);
    expect(two({}, { matchValue: 'key-2', statusWord: 'no' })).toEqual(['LINK', 'FAILED']);
    expect(two({ matchValue: 'x' }, { matchValue: 'y' })).toEqual(['MULTIPLE', 'MULTIPLE']);
  });

  it('R-056d never links what disagrees or is claimed twice, whatever the rows', () => {
    const keys = ['key-1', 'key-2', 'key-3'];
    const executions = keys.map((key) => execution(key));
    const rows = fc.array(
      fc.record({
        matchValue: fc.constantFrom(...keys, 'nobody', ''),
        resultId: fc.constantFrom('pay-1', 'pay-2', 'pay-3', 'pay-4', ''),
        statusWord: fc.constantFrom('ok', 'ok', 'ok', 'wait', 'no', 'back', 'else'),
        account: fc.constantFrom('main', 'main', 'other', ''),
        content: fc.constantFrom(['10'], ['10.00'], ['11'], ['x'], ['']),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(rows, (made) => {
        const named = made.map((each, index) => ({ ...each, rowNumber: index + 2 }));
        const judged = judge(named, ground(executions));
        const linked = judged.filter((each) => each.verdict === 'LINK');
        for (const each of linked) {
          const source = named.find(({ rowNumber }) => rowNumber === each.rowNumber)!;
          expect(source).toMatchObject({ statusWord: 'ok', account: 'main' });
          expect(Number(source.content[0])).toBe(10);
          const rivals = named.filter(
            (other) => other.matchValue === source.matchValue && other.statusWord !== 'no',
          );
          expect(rivals).toHaveLength(1);
        }
        for (const what of ['executionId', 'resultId'] as const)
          expect(new Set(linked.map((each) => each[what])).size).toBe(linked.length);
        expect(Object.values(sumsOf(judged)).reduce((sum, count) => sum + count, 0)).toBe(named.length);
      }),
    );
  });
});

describe('how a report is read', () => {
  it('R-056d R-056e says for each thing one column, for each word one meaning, and compares at least one field', () => {
    const ok = (change: object) => reportReading.safeParse({ ...reading, ...change }).success;
    expect(ok({})).toBe(true);
    expect(ok({ content: [] })).toBe(false);
    expect(ok({ statuses: { ...reading.statuses, done: [] } })).toBe(false);
    expect(ok({ statuses: { ...reading.statuses, failed: ['ok'] } })).toBe(false);
    expect(ok({ fixedAccount: 'main' })).toBe(false);
    expect(ok({ columns: { ...reading.columns, account: null } })).toBe(false);
    expect(ok({ columns: { ...reading.columns, account: null }, fixedAccount: 'main' })).toBe(true);
    expect(ok({ more: 1 })).toBe(false);
    expect(ok({ content: [...reading.content, ...reading.content] })).toBe(false);
  });
});
