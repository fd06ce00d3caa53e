import { describe, expect, it } from 'vitest';
import { decisionsFor, sharedLock, type OfferSubject } from './decision-offers';
import type { LookupStanding } from './decision-evidence';
import { DECISIONS, NATURE_OF } from './decisions';
import { EXCEPTION_KINDS } from './exception-kinds';

const NOW = new Date('2026-11-29T12:00:00Z');
const seconds = (count: number) => new Date(NOW.getTime() + count * 1_000).toISOString();

const looked = (change: Partial<LookupStanding> = {}): LookupStanding => ({
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
  ...change,
});

const absent = (change: Partial<LookupStanding> = {}): LookupStanding =>
  looked({
    outcome: 'NOT_FOUND',
    externalStatus: null,
    verdict: 'NOT_APPLIED',
    resultId: null,
    accountMatch: null,
    contentMatch: null,
    ...change,
  });

const execution = {
  version: '3',
  state: 'UNKNOWN',
  superseded: false,
  resultId: null,
  attemptsLeft: true,
  expiredFrom: null,
  leaseExpiresAt: seconds(-30),
  effectStarted: true,
} as const satisfies OfferSubject['execution'];

const subject = (change: Partial<OfferSubject> = {}): OfferSubject => ({
  kind: 'UNKNOWN_RESULT',
  state: 'OPEN',
  rights: { roles: ['OPERATOR'], authorities: ['money'], tenantIds: ['tenant-north'] },
  policy: {
    authority: 'money',
    effectClass: 'IRREVERSIBLE',
    evidenceMaxAgeSeconds: 300,
    resultIdRequired: true,
    proof: 'PRESENCE',
    hasConnector: true,
  },
  execution,
  lookups: [looked()],
  requestInFlight: false,
  lineageBlocked: false,
  hasConflictingIntake: false,
  now: NOW,
  ...change,
});

const offerOf = (decision: string, change: Partial<OfferSubject> = {}) => {
  const offer = decisionsFor(subject(change)).find((each) => each.decision === decision);
  if (offer === undefined) throw new Error(`no ${decision}`);
  return offer;
};

describe('what can be decided about an exception', () => {
  it.each(EXCEPTION_KINDS)('R-074b %s offers something, and nothing once it is settled', (kind) => {
    expect(decisionsFor(subject({ kind }))).not.toEqual([]);
    expect(decisionsFor(subject({ kind, state: 'CLOSED' }))).toEqual([]);
  });

  it('R-076 says of each whether it makes new work; only a new key does', () => {
    expect(DECISIONS.filter((decision) => NATURE_OF[decision] === 'NEW')).toEqual(['REQUEST_REISSUE']);
  });

  it('R-074a without the role or the authority everything is refused, the role first', () => {
    const codes = (rights: OfferSubject['rights']) =>
      new Set(decisionsFor(subject({ rights })).map((offer) => offer.refusal));
    expect(codes({ roles: ['MANAGER'], authorities: [], tenantIds: [] })).toEqual(new Set(['ROLE_MISSING']));
    expect(codes({ roles: ['OPERATOR'], authorities: [], tenantIds: [] })).toEqual(
      new Set(['AUTHORITY_MISSING']),
    );
  });

  it('R-066a offers the found result first, with the look that carries it', () => {
    const [first] = decisionsFor(subject());
    expect(first).toMatchObject({
      decision: 'LINK_RESULT',
      recommended: true,
      refusal: null,
      evidenceId: 'look-1',
      lookAgain: false,
      secondPerson: false,
    });
  });

  it.each([
    ['nobody has looked', { lookups: [] }, 'EVIDENCE_MISSING'],
    [
      'the look is about an earlier state',
      { lookups: [looked({ executionVersion: '2' })] },
      'EVIDENCE_WRONG_SUBJECT',
    ],
    ['the look shows something else', { lookups: [absent()] }, 'EVIDENCE_SHOWS_OTHERWISE'],
    ['account or content differ', { lookups: [looked({ accountMatch: false })] }, 'EVIDENCE_DOES_NOT_MATCH'],
    [
      'content could not be compared',
      { lookups: [looked({ contentMatch: null })] },
      'EVIDENCE_DOES_NOT_MATCH',
    ],
    ['no result id was found', { lookups: [looked({ resultId: null })] }, 'RESULT_ID_MISSING'],
    [
      'another result is linked',
      { execution: { ...execution, state: 'EXPIRED', resultId: 'PAY-0' } },
      'OTHER_RESULT_LINKED',
    ],
    ['the record moved on', { execution: { ...execution, state: 'SUCCEEDED' } }, 'STATE_NOT_SUITABLE'],
    ['a new key took its place', { execution: { ...execution, superseded: true } }, 'STATE_NOT_SUITABLE'],
  ] as const)('R-066a linking is refused when %s', (_why, change, code) => {
    expect(offerOf('LINK_RESULT', change as Partial<OfferSubject>).refusal).toBe(code);
  });

  it('R-060c evidence that is too old is looked at again first; without a connector it stands in the way', () => {
    const stale = { lookups: [looked({ checkedAt: seconds(-301) })] };
    expect(offerOf('LINK_RESULT', stale)).toMatchObject({ refusal: null, lookAgain: true });
    const policy = { ...subject().policy, hasConnector: false };
    expect(offerOf('LINK_RESULT', { ...stale, policy })).toMatchObject({
      refusal: 'EVIDENCE_STALE',
      lookAgain: false,
    });
  });

  it('R-064a "not applied" is locked until the horizon, then a new look opens it by itself', () => {
    const early = absent({ checkedAt: seconds(-5), usableFrom: seconds(40) });
    expect(offerOf('CONFIRM_NOT_APPLIED', { lookups: [early] })).toMatchObject({
      refusal: 'HORIZON_NOT_OVER',
      opensAt: seconds(40),
      recommended: false,
    });
    const later = { lookups: [early], now: new Date(seconds(41)) };
    expect(offerOf('CONFIRM_NOT_APPLIED', later)).toMatchObject({ refusal: null, lookAgain: true });
    expect(offerOf('CONFIRM_NOT_APPLIED', { lookups: [absent()] })).toMatchObject({
      refusal: null,
      lookAgain: false,
    });
  });

  it('R-064b "not there" proves nothing any more when the system has forgotten', () => {
    const forgotten = absent({ usableUntil: seconds(-1) });
    expect(offerOf('CONFIRM_NOT_APPLIED', { lookups: [forgotten] }).refusal).toBe('EVIDENCE_PROVES_NOTHING');
  });

  it('R-058b a silent system takes nothing away from what it said before', () => {
    const silent = looked({
      lookupId: 'look-2',
      outcome: 'INACCESSIBLE',
      verdict: 'UNCLEAR',
      resultId: null,
    });
    expect(offerOf('LINK_RESULT', { lookups: [silent, looked()] })).toMatchObject({
      refusal: null,
      evidenceId: 'look-1',
    });
  });

  it('R-067b a second person is needed exactly where the effect cannot be undone', () => {
    expect(offerOf('CONFIRM_NOT_APPLIED').secondPerson).toBe(true);
    const policy = { ...subject().policy, effectClass: 'REVERSIBLE' };
    expect(offerOf('CONFIRM_NOT_APPLIED', { policy }).secondPerson).toBe(false);
  });

  it('R-068 a final failure of an effect in doubt has to be shown; of one that never started it has not', () => {
    expect(offerOf('FINAL_FAILURE').refusal).toBe('EVIDENCE_SHOWS_OTHERWISE');
    expect(offerOf('FINAL_FAILURE', { lookups: [absent()] }).refusal).toBeNull();
    const waiting = {
      kind: 'UNCLAIMED',
      execution: { ...execution, state: 'RECEIVED' },
      lookups: [],
    } as const;
    expect(offerOf('FINAL_FAILURE', waiting).refusal).toBeNull();
  });

  it('R-052 a request in flight and two effects in doubt stand in the way of a new key', () => {
    const lookups = [absent()];
    expect(offerOf('REQUEST_REISSUE', { lookups }).refusal).toBeNull();
    expect(offerOf('REQUEST_REISSUE', { lookups, requestInFlight: true }).refusal).toBe('REQUEST_IN_FLIGHT');
    expect(offerOf('REQUEST_REISSUE', { lookups, lineageBlocked: true }).refusal).toBe(
      'LINEAGE_UNDER_REVIEW',
    );
  });

  it('R-069b each relation of a new key has its own condition', () => {
    const relations = (change: Partial<OfferSubject>) =>
      Object.fromEntries(
        offerOf('REQUEST_REISSUE', change).relations.map((each) => [each.relation, each.refusal]),
      );
    expect(relations({ lookups: [absent()] })).toEqual({
      RETRY_AS_NEW: null,
      CORRECTION: 'INTAKE_MISSING',
      NEW_WORK: null,
    });
    expect(relations({ lookups: [looked()], hasConflictingIntake: true })).toEqual({
      RETRY_AS_NEW: 'EVIDENCE_SHOWS_OTHERWISE',
      CORRECTION: null,
      NEW_WORK: null,
    });
    expect(
      relations({
        kind: 'CONTENT_CONFLICT',
        execution: { ...execution, state: 'SUCCEEDED' },
        hasConflictingIntake: true,
      }),
    ).toEqual({ RETRY_AS_NEW: 'RELATION_NOT_FOR_KIND', CORRECTION: null, NEW_WORK: null });
    expect(
      relations({
        kind: 'CONTENT_CONFLICT',
        execution: { ...execution, state: 'PROCESSING', leaseExpiresAt: seconds(30) },
        hasConflictingIntake: true,
      }),
    ).toMatchObject({ CORRECTION: 'STATE_NOT_SUITABLE' });
  });

  it('an expired record without its effect points to a new key, with its result to confirming that', () => {
    const expired = { ...execution, state: 'EXPIRED', expiredFrom: 'FAILED_FINAL' } as const;
    const first = (change: Partial<OfferSubject>) =>
      decisionsFor(subject({ kind: 'EXPIRED_KEY', ...change }))[0]?.decision;
    expect(first({ execution: expired, lookups: [absent()] })).toBe('REQUEST_REISSUE');
    expect(first({ execution: { ...expired, resultId: 'PAY-1' } })).toBe('CONFIRM_KNOWN_RESULT');
  });

  it('what can be taken comes before what only waits, and that before what cannot', () => {
    const early = absent({ usableFrom: seconds(40) });
    const order = decisionsFor(
      subject({
        kind: 'STUCK_PROCESSING',
        execution: { ...execution, state: 'PROCESSING' },
        lookups: [early],
      }),
    );
    expect(order.map((offer) => [offer.decision, offer.refusal])).toEqual([
      ['EXTEND', null],
      ['DECLARE_UNKNOWN', null],
      ['REQUEST_REISSUE', null],
      ['CONFIRM_NOT_APPLIED', 'HORIZON_NOT_OVER'],
      ['FINAL_FAILURE', 'HORIZON_NOT_OVER'],
      ['LINK_RESULT', 'EVIDENCE_SHOWS_OTHERWISE'],
    ]);
  });
});

describe('what locks several choices', () => {
  const lockOf = (lookups: readonly LookupStanding[]) => sharedLock(decisionsFor(subject({ lookups })));

  it('R-064d is told once, with the instant at which waiting opens them', () => {
    const usableFrom = seconds(30);
    expect(lockOf([absent({ usableFrom })])).toEqual({ refusal: 'HORIZON_NOT_OVER', opensAt: usableFrom });
  });

  it('R-064d is the reason of most of them, and none where each has its own', () => {
    expect(lockOf([])).toEqual({ refusal: 'EVIDENCE_MISSING', opensAt: null });
    const [first, second] = decisionsFor(subject({ lookups: [] }));
    expect(sharedLock([first!, { ...second!, refusal: 'REQUEST_IN_FLIGHT' }])).toBeNull();
    expect(
      sharedLock([
        { ...first!, refusal: null },
        { ...second!, refusal: null },
      ]),
    ).toBeNull();
  });
});
