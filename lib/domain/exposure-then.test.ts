import { expect, it } from 'vitest';
import { exposureThen } from './exposure-then';

type Known = Parameters<typeof exposureThen>[0];

const at = (second: string) => `2026-11-30T08:00:${second}Z`;
const attempt = (startedAt: string, effectStartedAt: string | null) => ({ startedAt, effectStartedAt });
// Only what is read is given: a whole row of the ledger would hide which members these are.
const known = (change: object) =>
  ({
    execution: { amount: { value: '100', currency: 'KRW' }, resultId: null, reportedResultId: null },
    lateReports: [],
    evidence: [],
    attempts: [attempt(at('01.000000'), at('02.000000'))],
    ...change,
  }) as unknown as Known;

it('R-081k an open exception shows what is at stake now', () => {
  const attempts = [attempt(at('01.000000'), at('02.000000')), attempt(at('31.000000'), at('32.000000'))];
  const { exposure, sinceSettled } = exposureThen(known({ attempts }), null);
  expect(exposure).toMatchObject({ effectsPossible: 2, doubleAmount: { value: '200' } });
  expect(sinceSettled).toBeNull();
});

it('R-081k a settled one shows what was at stake then, and apart from it what was tried since', () => {
  const attempts = [
    attempt(at('01.000000'), at('02.000000')),
    attempt(at('31.000000'), at('32.000000')),
    attempt(at('41.000000'), null),
  ];
  const execution = { amount: { value: '100', currency: 'KRW' }, resultId: 'PAY-2', reportedResultId: null };
  const later = { outcome: 'FOUND', resultId: 'PAY-3', matches: 2, checkedAt: at('50.000') };
  const reports = [{ resultId: 'PAY-4', receivedAt: at('51.000000') }];
  const told = exposureThen(
    known({ attempts, execution, evidence: [later], lateReports: reports }),
    at('30.000000'),
  );
  expect(told.exposure).toMatchObject({ effectsPossible: 1, doubleAmount: { value: '100' } });
  expect(told.sinceSettled).toEqual({ attempts: 2, effects: 1 });
});

it.each([
  [{ execution: { amount: null, resultId: 'PAY-2', reportedResultId: null } }],
  [{ lateReports: [{ resultId: 'PAY-2', receivedAt: at('51.000000') }] }],
  [{ evidence: [{ outcome: 'FOUND', resultId: 'PAY-2', matches: 1, checkedAt: at('50.000') }] }],
])('R-081k a result that was named since was not at stake then: %o', (later) => {
  const attempts = [attempt(at('01.000000'), null), attempt(at('31.000000'), at('32.000000'))];
  const told = exposureThen(known({ attempts, ...later }), at('30.000000'));
  expect(told.exposure).toMatchObject({ effectsPossible: 0 });
});

it('R-081k what was known then still counts', () => {
  const early = { outcome: 'MULTIPLE', resultId: null, matches: 2, checkedAt: at('20.000') };
  expect(exposureThen(known({ evidence: [early] }), at('30.000000'))).toMatchObject({
    exposure: { effectsPossible: 2 },
    sinceSettled: { attempts: 0, effects: 0 },
  });
});

it('R-081k a result that was linked without another try was at stake', () => {
  const execution = { amount: null, resultId: 'PAY-1', reportedResultId: null };
  const told = exposureThen(known({ execution, attempts: [] }), at('30.000000'));
  expect(told.exposure).toMatchObject({ effectsPossible: 1 });
});
