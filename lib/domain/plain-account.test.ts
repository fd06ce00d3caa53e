import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXCEPTION_KINDS } from './exception-kinds';
import { CATALOGUE } from './messages/catalogue';
import { LOCALES } from './messages/locales';
import { accountOf, type AccountFacts, type Known } from './plain-account';
import { EXECUTION_STATES } from './states';

const NOW = '2026-11-30T10:00:00.000000Z';
const BEFORE = '2026-11-30T09:00:00.000000Z';
const AFTER = '2026-11-30T11:00:00.000000Z';
const text = (...choices: string[]) => fc.option(fc.constantFrom(...choices), { nil: null });

const attempt = fc.record({
  ...{ attempt: fc.nat(), owner: fc.constant('worker'), fencingToken: fc.constant('1') },
  startedAt: fc.constantFrom(BEFORE, NOW),
  effectStartedAt: text(BEFORE),
  outcome: text('UNKNOWN', 'SUCCEEDED', 'TAKEN_OVER'),
});
const look = fc.record({
  ...{ lookupId: fc.constant('look'), executionVersion: fc.constantFrom('3', '2'), byPerson: fc.boolean() },
  outcome: fc.constantFrom('FOUND', 'NOT_FOUND', 'MISMATCH', 'MULTIPLE', 'INACCESSIBLE', 'INCONCLUSIVE'),
  verdict: fc.constantFrom('APPLIED', 'NOT_APPLIED', 'UNDER_WAY', 'UNCLEAR'),
  ...{ resultId: text('PAY-1'), checkedAt: fc.constant(BEFORE), usableFrom: fc.constantFrom(BEFORE, AFTER) },
  ...{ externalStatus: text('done', 'reversed'), matches: fc.constant(2), lookedBy: fc.constant('someone') },
  checkedBy: fc.constant({ kind: 'person', id: 'p', name: 'Olivia' }),
});
const execution = fc.record({
  state: fc.constantFrom(...EXECUTION_STATES),
  ...{ version: fc.constant('3'), resultId: text('PAY-9'), reportedResultId: text('PAY-8') },
  expiredFrom: text('SUCCEEDED', 'FAILED_FINAL'),
  ...{ failureBasis: text('PROOF'), leaseExpiresAt: text(BEFORE, AFTER), attemptsSpent: fc.nat({ max: 3 }) },
});

/** Facts of every kind and state, whatever else holds. */
const factsOf = (kind: string, state: string) =>
  fc
    .record({
      execution: fc.option(execution, { nil: null }),
      attempts: fc.array(attempt, { maxLength: 3 }),
      evidence: fc.array(look, { maxLength: 3 }),
      lateReports: fc.array(fc.constant({ verb: 'complete', receivedAt: BEFORE, resultId: 'PAY-7' }), {
        maxLength: 2,
      }),
      conflicts: fc.array(fc.record({ differences: fc.constantFrom(null, []) }), { maxLength: 2 }),
      arrivals: fc.constantFrom({ total: 0, shown: [] }, { total: 4, shown: [] }),
      pause: fc.option(fc.record({ paused: fc.boolean() }), { nil: null }),
      reasonCode: fc.constantFrom(
        'REPORTED',
        'IN_PROVIDER_REPORT',
        'FIX_FIRST',
        'CONTRADICTED',
        'SOMETHING_NEW',
      ),
      offers: fc.constantFrom(
        [],
        [{ refusal: 'ROLE_MISSING' }],
        [{ refusal: 'ROLE_MISSING' }, { refusal: null }],
      ),
    })
    .map(
      ({ reasonCode, ...rest }) =>
        ({
          ...rest,
          ...{ now: NOW, decisions: [], nextStep: state === 'CLOSED' ? 'NONE' : 'LOOK_UP' },
          exception: {
            ...{ kind, state, reasonCode, openedAt: BEFORE, principalId: 'shop' },
            ...{ closedAt: state === 'CLOSED' ? NOW : null, closingCode: null },
          },
          // Only the members that are read are made; the others stay out of the way of what is tried.
        }) as unknown as AccountFacts,
    );

const CASES = EXCEPTION_KINDS.flatMap((kind) => ['OPEN', 'CLOSED'].map((state) => [kind, state] as const));
const keys = (known: readonly Known[]) => known.map(({ key }) => key);

describe('R-047h the four things that an exception says of itself', () => {
  it.each(CASES)('R-047h %s, %s: each of them is said, in words of both languages', (kind, state) => {
    fc.assert(
      fc.property(factsOf(kind, state), (facts) => {
        const { happened, known, unknown, canDo } = accountOf(facts);
        for (const language of LOCALES) {
          const { account, happened: sentences } = CATALOGUE[language].exception;
          const { standing, notKnownText } = CATALOGUE[language].lookup;
          expect(sentences[happened.reason]).not.toBe('');
          expect(known.length).toBeGreaterThan(0);
          expect(unknown.length).toBeGreaterThan(0);
          for (const each of known)
            expect(each.key === 'EVIDENCE' ? standing[each.standing] : account.known[each.key]).toBeTruthy();
          for (const each of unknown)
            expect(
              each.key === 'EVIDENCE' ? notKnownText[each.standing] : account.unknown[each.key],
            ).toBeTruthy();
          expect(account.canDo[canDo.step]).toBeTruthy();
        }
      }),
      { numRuns: 40 },
    );
  });

  it('R-047i says of nothing more than the facts carry', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CASES).chain(([kind, state]) => factsOf(kind, state)),
        (facts) => {
          const { known } = accountOf(facts);
          const { execution: record, attempts, lateReports, conflicts } = facts;
          const announced = record !== null && attempts.some((each) => each.effectStartedAt !== null);
          const carried: Record<string, boolean> = {
            ANNOUNCED: announced,
            NOT_ANNOUNCED: record !== null && attempts.length > 0 && !announced,
            NOBODY_BEGAN: record !== null && attempts.length === 0,
            RESULT_ON_RECORD: record?.resultId != null,
            RESULT_NOT_BELIEVED: record?.reportedResultId != null,
            LATE_REPORTS: lateReports.length > 0,
            OTHER_CONTENT: conflicts.length > 0,
            IN_REPORT: facts.exception.reasonCode === 'IN_PROVIDER_REPORT',
            STOPPED: facts.pause?.paused === true,
            SETTLED: facts.exception.state === 'CLOSED',
          };
          for (const [key, holds] of Object.entries(carried))
            expect([key, keys(known).includes(key as Known['key'])]).toEqual([key, holds]);
          const evidence = known.find((each) => each.key === 'EVIDENCE');
          if (evidence?.standing === 'MATCH')
            expect(
              facts.evidence.some(({ outcome, verdict }) => outcome === 'FOUND' && verdict === 'APPLIED'),
            ).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('R-047i never takes an announced effect for one that exists: not in the keys, and not in the words', () => {
    const [facts] = fc.sample(factsOf('UNKNOWN_RESULT', 'OPEN'), { numRuns: 1, seed: 1 });
    const started = {
      ...facts!,
      execution: { ...EXECUTION, state: 'UNKNOWN' },
      attempts: [{ attempt: 1, owner: 'w', startedAt: BEFORE, effectStartedAt: BEFORE, outcome: null }],
      ...{ evidence: [], lateReports: [], conflicts: [], pause: null },
      // Only the members that are read are made; the others stay out of the way of what is tried.
    } as unknown as AccountFacts;
    const { known, unknown } = accountOf(started);
    expect(known.filter(({ key }) => key !== 'IN_REPORT')).toEqual([
      { key: 'ANNOUNCED', count: 1 },
      expect.objectContaining({ key: 'EVIDENCE', standing: 'NOT_LOOKED' }),
    ]);
    expect(unknown).toEqual([{ key: 'EVIDENCE', standing: 'NOT_LOOKED' }]);
    const { en, ko } = CATALOGUE;
    for (const words of [en.exception.account.known.ANNOUNCED, en.lookup.standing.NOT_LOOKED])
      expect(words).not.toMatch(/\b(sent|paid|done|happened|was made|created)\b/i);
    expect(ko.exception.account.known.ANNOUNCED).not.toMatch(/보냈|발송|지급|처리되|반영되었/);
  });

  it('R-047i tells whoever may not decide so, and nobody else', () => {
    const [facts] = fc.sample(factsOf('UNKNOWN_RESULT', 'OPEN'), { numRuns: 1, seed: 1 });
    const barred = (refusals: (string | null)[]) =>
      accountOf({
        ...facts!,
        // Only the members that are read are made; the others stay out of the way of what is tried.
        offers: refusals.map((refusal) => ({ refusal })) as unknown as AccountFacts['offers'],
      }).canDo.barred;
    expect(barred(['ROLE_MISSING', 'AUTHORITY_MISSING'])).toBe(true);
    expect(barred(['ROLE_MISSING', 'EVIDENCE_MISSING'])).toBe(false);
    expect(barred([])).toBe(false);
  });
});

const EXECUTION = {
  ...{ version: '3', resultId: null, reportedResultId: null, expiredFrom: null, failureBasis: null },
  ...{ leaseExpiresAt: null, attemptsSpent: 1 },
};
