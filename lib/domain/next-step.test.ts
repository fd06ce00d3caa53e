import { describe, expect, it } from 'vitest';
import type { LookupStanding } from './decision-evidence';
import { decisionsFor } from './decision-offers';
import { EXCEPTION_KINDS } from './exception-kinds';
import { CATALOGUE } from './messages/catalogue';
import { nextStep, type StepSubject } from './next-step';
import { plainWords } from './plain-words';

const NOW = new Date('2026-11-29T12:00:00Z');
const seconds = (count: number) => new Date(NOW.getTime() + count * 1_000).toISOString();

const found: LookupStanding = {
  lookupId: 'look-1',
  executionVersion: '3',
  byPerson: false,
  lookedBy: 'system:worker',
  outcome: 'FOUND',
  externalStatus: 'done',
  verdict: 'APPLIED',
  resultId: 'PAY-1',
  accountMatch: true,
  contentMatch: true,
  checkedAt: seconds(-10),
  usableFrom: seconds(-60),
  usableUntil: null,
};
const none = { externalStatus: null, resultId: null, accountMatch: null, contentMatch: null };
const absent: LookupStanding = { ...found, ...none, outcome: 'NOT_FOUND', verdict: 'NOT_APPLIED' };
const early: LookupStanding = { ...absent, usableFrom: seconds(30) };
const reversed: LookupStanding = { ...found, externalStatus: 'reversed', verdict: 'UNCLEAR' };
const mismatch: LookupStanding = { ...found, outcome: 'MISMATCH', verdict: 'UNCLEAR', accountMatch: false };
const silent: LookupStanding = { ...found, ...none, outcome: 'INACCESSIBLE', verdict: 'UNCLEAR' };
const seen = (change: Partial<LookupStanding>): LookupStanding => ({
  ...found,
  lookupId: 'seen',
  byPerson: true,
  lookedBy: 'operator-1',
  externalStatus: null,
  checkedAt: seconds(-1),
  ...change,
});

const open: StepSubject = {
  kind: 'UNKNOWN_RESULT',
  state: 'OPEN',
  deferred: false,
  requestInFlight: false,
  policy: { evidenceMaxAgeSeconds: 300, resultIdRequired: true, proof: 'PRESENCE', hasConnector: true },
  execution: { version: '3', state: 'UNKNOWN', superseded: false, resultId: null, attemptsLeft: true },
  lookups: [],
  now: NOW,
};
const deletion = { ...open, policy: { ...open.policy, proof: 'ABSENCE' as const } };
const gone: LookupStanding = { ...absent, verdict: 'APPLIED', resultId: 'CRM-1' };

describe('the one step that leads on', () => {
  it.each([
    ['nobody has looked', [], 'LOOK_UP'],
    ['the system was silent', [silent], 'LOOK_UP'],
    ['it is under way', [{ ...found, externalStatus: 'pending', verdict: 'UNDER_WAY' }], 'LOOK_AGAIN'],
    ['it was found', [found], 'LINK_RESULT'],
    ['it was found, and the system is silent since', [silent, found], 'LINK_RESULT'],
    ['nothing is there', [absent], 'CONFIRM_NOT_APPLIED'],
    ['nothing is there yet', [early], 'WAIT_FOR_HORIZON'],
    ['something else was found', [mismatch], 'CHECK_WITH_PROVIDER'],
    ['it was undone', [reversed], 'SETTLE_UNDONE'],
    ['it was undone, long ago', [{ ...reversed, checkedAt: seconds(-900) }], 'SETTLE_UNDONE'],
    ['a person contradicts the system', [seen({}), reversed], 'LOOK_AGAIN'],
    ['two were found', [{ ...found, outcome: 'MULTIPLE', verdict: 'UNCLEAR' }], 'NAME_THE_EFFECT'],
  ] as const)('R-047 of an unknown result of which %s', (_what, lookups, step) => {
    expect(nextStep({ ...open, lookups: lookups as readonly LookupStanding[] })).toBe(step);
  });

  it('R-058l a deletion whose record is gone leads to linking it', () => {
    expect(nextStep({ ...deletion, lookups: [gone] })).toBe('LINK_RESULT');
  });

  it('R-041 an expired key with its result leads to confirming that, whatever was found', () => {
    const execution = {
      version: '3',
      state: 'EXPIRED',
      superseded: false,
      resultId: 'PAY-1',
      attemptsLeft: true,
    } as const;
    expect(nextStep({ ...open, kind: 'EXPIRED_KEY', execution, lookups: [found] })).toBe(
      'CONFIRM_KNOWN_RESULT',
    );
  });

  it('a stuck one asks the owner until evidence says more', () => {
    expect(nextStep({ ...open, kind: 'STUCK_PROCESSING' })).toBe('HEAR_FROM_OWNER');
    expect(nextStep({ ...open, kind: 'STUCK_PROCESSING', lookups: [found] })).toBe('LINK_RESULT');
  });

  it.each(['UNCLAIMED', 'RETRY_STALLED'] as const)(
    'R-047 %s leads to more attempts where none are left, else to whoever should come',
    (kind) => {
      const of = (attemptsLeft: boolean) =>
        nextStep({ ...open, kind, execution: { ...open.execution!, state: 'RECEIVED', attemptsLeft } });
      expect([of(false), of(true)]).toEqual(['ALLOW_OR_END', 'FIND_EXECUTOR']);
    },
  );

  it('a verdict never settles what needs a comparison or a name', () => {
    expect(nextStep({ ...open, kind: 'CONTENT_CONFLICT', lookups: [found] })).toBe('COMPARE_CONTENT');
    expect(nextStep({ ...open, kind: 'DUPLICATE_RESULT', lookups: [found] })).toBe('NAME_THE_EFFECT');
  });

  it('waiting for a second person outranks a deferral, and a closed one has no step', () => {
    expect(nextStep({ ...open, deferred: true })).toBe('WAIT_UNTIL');
    expect(nextStep({ ...open, deferred: true, requestInFlight: true })).toBe('WAIT_FOR_SECOND');
    expect(nextStep({ ...open, state: 'CLOSED', requestInFlight: true })).toBe('NONE');
  });

  it('every kind has a step with words in both languages', () => {
    for (const kind of EXCEPTION_KINDS) {
      const step = nextStep({ ...open, kind });
      expect(CATALOGUE.en.glossary.nextStep[step]).toBeTruthy();
      expect(CATALOGUE.ko.glossary.nextStep[step]).toBeTruthy();
    }
  });
});

const byEvidence: readonly string[] = [
  'UNKNOWN_RESULT',
  'STUCK_PROCESSING',
  'MISSING_RESULT_ID',
  'EXPIRED_KEY',
];

describe('the queue and the page', () => {
  const looks: readonly (readonly LookupStanding[])[] = [
    [],
    [found],
    [absent],
    [early],
    [reversed],
    [mismatch],
    [silent],
    [gone],
    [seen({}), reversed],
    [seen({}), found],
    [seen({ verdict: 'NOT_APPLIED', outcome: 'NOT_FOUND', resultId: null }), found],
    [{ ...found, usableUntil: seconds(-1) }],
  ];
  const subjects = [open, deletion].flatMap((base) =>
    EXCEPTION_KINDS.flatMap((kind) =>
      (['UNKNOWN', 'PROCESSING', 'EXPIRED'] as const).flatMap((state) =>
        looks.flatMap((lookups) =>
          [false, true].map((requestInFlight) => ({
            ...base,
            kind,
            lookups,
            requestInFlight,
            execution: { version: '3', state, superseded: false, resultId: null, attemptsLeft: true },
          })),
        ),
      ),
    ),
  );

  it('R-051 never disagree', () => {
    for (const subject of subjects) {
      const step = nextStep(subject);
      const offers = decisionsFor({
        ...subject,
        rights: { roles: ['OPERATOR', 'APPROVER'], authorities: ['money'], tenantIds: ['tenant-north'] },
        policy: { ...subject.policy, authority: 'money', effectClass: 'REVERSIBLE' },
        execution: { ...subject.execution, expiredFrom: null, leaseExpiresAt: null, effectStarted: true },
        lineageBlocked: false,
        hasConflictingIntake: false,
      });
      const recommended = offers.find((offer) => offer.recommended);
      const told = JSON.stringify([subject.kind, subject.execution.state, step, subject.lookups[0]]);
      if (recommended !== undefined) expect(recommended.refusal, told).toBeNull();
      if (step === 'LINK_RESULT') expect(recommended?.decision, told).toBe('LINK_RESULT');
      if (step === 'CONFIRM_NOT_APPLIED') expect(recommended?.decision, told).toBe('CONFIRM_NOT_APPLIED');
      // Where nothing can be taken, a step says what to do instead.
      if (byEvidence.includes(subject.kind) && offers.every((offer) => offer.refusal !== null))
        expect(CATALOGUE.en.decisions.wayOn, told).toHaveProperty(step);
    }
  });
});

describe('in plain words', () => {
  const subject = {
    state: 'FAILED_RETRYABLE',
    before: null,
    noEffectProven: true,
    superseded: false,
    attemptsLeft: true,
    step: null,
  } as const;

  it('R-047 an open exception is what is next, a replaced record is replaced, and spent attempts are told', () => {
    expect(plainWords(subject)).toEqual({ view: 'NOT_ATTEMPTED', next: 'NOT_ATTEMPTED' });
    expect(plainWords({ ...subject, attemptsLeft: false }).next).toBe('NO_ATTEMPTS');
    expect(plainWords({ ...subject, step: 'ALLOW_OR_END' }).next).toBe('AT_THE_DESK');
    expect(plainWords({ ...subject, state: 'PROCESSING', step: 'HEAR_FROM_OWNER' })).toEqual({
      view: 'IN_PROGRESS',
      next: 'AT_THE_DESK',
    });
    expect(plainWords({ ...subject, state: 'SUCCEEDED', step: 'COMPARE_CONTENT' }).next).toBe('AT_THE_DESK');
    expect(plainWords({ ...subject, state: 'UNKNOWN', superseded: true })).toEqual({
      view: 'REPLACED',
      next: 'REPLACED',
    });
  });
});
