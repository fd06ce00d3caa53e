import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXCEPTION_KINDS } from './exception-kinds';
import { INTAKE_DISPOSITIONS } from './dispositions';
import { lifeLine, type LifeFacts, type LifeItem, type LifeLane } from './life-line';
import { REQUEST_STATES } from './decisions';
import { DAY, MINUTE, SECOND } from './spans';
import { EXECUTION_STATES } from './states';
import { timeAxis } from './time-axis';

const START = Date.parse('2026-11-29T10:00:00Z');
const at = (milliseconds: number) => new Date(START + milliseconds).toISOString().replace('Z', '000Z');
const NOTHING: LifeFacts = {
  ...{ now: at(0), execution: null, arrivals: { total: 0, shown: [] }, attempts: [], lateReports: [] },
  ...{ evidence: [], decisions: [], activity: [], requests: [], exceptions: [] },
};

/** Some things happen in a burst, some after days; many at one instant. */
const when = fc.oneof(fc.nat({ max: 2 * SECOND }), fc.nat({ max: 20 * MINUTE }), fc.nat({ max: 9 * DAY }));
const later = fc.option(when, { nil: null });
const listOf = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 12 });

const attempt = fc.record({
  ...{ began: when, effect: later, ended: later },
  outcome: fc.constantFrom('SUCCEEDED', 'FAILED_FINAL', 'UNKNOWN', 'TAKEN_OVER', 'DECIDED'),
});
const look = fc.record({
  ...{ at: when, usable: when },
  verdict: fc.constantFrom('APPLIED', 'NOT_APPLIED', 'UNDER_WAY', 'UNCLEAR'),
});
const life = fc
  .record({
    now: when,
    lease: later,
    state: fc.constantFrom(...EXECUTION_STATES),
    arrivals: listOf(fc.record({ at: when, disposition: fc.constantFrom(...INTAKE_DISPOSITIONS) })),
    attempts: listOf(attempt),
    looks: listOf(look),
    decisions: listOf(
      fc.record({ at: when, decision: fc.constantFrom('LINK_RESULT', 'EXTEND', 'CONFIRM_NOT_APPLIED') }),
    ),
    requests: listOf(fc.record({ at: when, ended: when, state: fc.constantFrom(...REQUEST_STATES) })),
    reports: listOf(when),
    exceptions: listOf(fc.record({ at: when, closed: later, kind: fc.constantFrom(...EXCEPTION_KINDS) })),
  })
  .map((drawn): LifeFacts => {
    const ended = (began: number, milliseconds: number | null) =>
      milliseconds === null ? null : at(began + milliseconds);
    return {
      ...NOTHING,
      now: at(drawn.now),
      execution: {
        leaseExpiresAt: drawn.lease === null ? null : at(drawn.lease),
        state: drawn.state,
        stateSince: at(drawn.now),
      },
      arrivals: {
        total: drawn.arrivals.length,
        shown: drawn.arrivals.map((each, n) => ({
          ...{ intakeId: `arrival-${n}`, receivedAt: at(each.at), disposition: each.disposition },
        })),
      },
      attempts: drawn.attempts.map((each, n) => ({
        ...{ attempt: n + 1, owner: 'worker', fencingToken: `${n}`, startedAt: at(each.began) },
        ...{
          effectStartedAt: ended(each.began, each.effect),
          outcome: each.ended === null ? null : each.outcome,
        },
        ...{ endedAt: ended(each.began, each.ended) },
      })),
      evidence: drawn.looks.map((each, n) => ({
        ...{
          lookupId: `look-${n}`,
          verdict: each.verdict,
          checkedAt: at(each.at),
          usableFrom: at(each.usable),
        },
      })),
      decisions: drawn.decisions.map((each, n) => ({
        ...{ decisionId: `decision-${n}`, at: at(each.at), decision: each.decision },
      })),
      requests: drawn.requests.map((each, n) => ({
        ...{ requestId: `request-${n}`, state: each.state, requestedAt: at(each.at) },
        stateSince: at(each.at + each.ended),
      })),
      lateReports: drawn.reports.map((each, n) => ({ reportId: `report-${n}`, receivedAt: at(each) })),
      exceptions: drawn.exceptions.map((each, n) => ({
        ...{ exceptionId: `exception-${n}`, kind: each.kind, openedAt: at(each.at) },
        closedAt: ended(each.at, each.closed),
      })),
      // Only the members that are read are made; the others stay out of the way of what is tried.
    } as unknown as LifeFacts;
  });

const groupsOf = (facts: LifeFacts) => lifeLine(facts).lanes.flatMap(({ groups }) => groups);
const itemsOf = (facts: LifeFacts): LifeItem[] => groupsOf(facts).flatMap(({ items }) => [...items]);
const lane = (facts: LifeFacts, name: LifeLane) =>
  lifeLine(facts)
    .lanes.find((each) => each.lane === name)!
    .groups.map(({ sort, items }) => [sort, items.map(({ id }) => id)]);

/** Every fact that has to be on the drawing, by the id of its mark. */
function expected(facts: LifeFacts): string[] {
  const ended = ['APPROVED', 'REJECTED', 'WITHDRAWN', 'EXPIRED', 'VOID'];
  return [
    ...facts.arrivals.shown.map((each) => each.intakeId),
    ...facts.attempts.flatMap((each) => [
      `start-${each.attempt}`,
      ...(each.effectStartedAt === null ? [] : [`effect-${each.attempt}`]),
      ...(each.outcome === 'SUCCEEDED' ? [`end-${each.attempt}`] : []),
    ]),
    ...facts.evidence.map((each) => each.lookupId),
    ...facts.lateReports.map((each) => each.reportId),
    ...facts.decisions.map((each) => each.decisionId),
    ...facts.decisions
      .filter((each) => each.decision === 'LINK_RESULT')
      .map((each) => `linked-${each.decisionId}`),
    ...facts.requests.map((each) => `asked-${each.requestId}`),
    ...facts.requests
      .filter((each) => ended.includes(each.state))
      .map((each) => `answered-${each.requestId}`),
    ...facts.exceptions.map((each) => `open-${each.exceptionId}`),
    ...facts.exceptions.filter((each) => each.closedAt !== null).map((each) => `closed-${each.exceptionId}`),
  ];
}

describe('R-047d the life line', () => {
  it('R-047d loses nothing and draws nothing twice', () => {
    fc.assert(
      fc.property(life, (facts) => {
        const drawn = itemsOf(facts)
          .filter((item) => item.lane !== 'LEASE')
          .map(({ id }) => id);
        expect(drawn.toSorted()).toEqual(expected(facts).toSorted());
      }),
    );
  });

  it('R-047d never shows later before earlier, on whatever lane, and nothing outside of its frame', () => {
    fc.assert(
      fc.property(life, (facts) => {
        const items = itemsOf(facts).sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
        for (const [index, item] of items.entries()) {
          const before = items[index - 1];
          if (before !== undefined) expect(item.from).toBeGreaterThanOrEqual(before.from);
          expect(item.to).toBeGreaterThanOrEqual(item.from);
          expect(item.from).toBeGreaterThanOrEqual(0);
          expect(item.to).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('R-047d lets nothing cover anything else of its row, and has no more rows of moments than sorts', () => {
    fc.assert(
      fc.property(life, (facts) => {
        const { lanes, width } = lifeLine(facts);
        for (const { lane: name, groups } of lanes) {
          for (const group of groups) {
            const next = groups.find(
              (each) => each.row === group.row && each.from >= group.from && each !== group,
            );
            if (next === undefined) continue;
            expect(next.from).toBeGreaterThanOrEqual(group.to);
            if (name !== 'LEASE') expect((next.from - group.from) * width).toBeGreaterThanOrEqual(35.9);
          }
          const rows = new Set(groups.map(({ row }) => row)).size;
          if (name === 'ARRIVALS' || name === 'LOOKS' || name === 'DECISIONS')
            expect(rows).toBeLessThanOrEqual(new Set(groups.map(({ sort }) => sort)).size);
        }
      }),
    );
  });

  it('R-047d draws no stretch of a lease that was over as it began', () => {
    const began = '2026-11-29T10:00:00.019000Z';
    const facts: LifeFacts = {
      ...{ now: '2026-11-29T10:00:00.020000Z', decisions: [], requests: [], exceptions: [] },
      ...{ arrivals: { total: 0, shown: [] }, lateReports: [], evidence: [], activity: [] },
      execution: { leaseExpiresAt: began, state: 'PROCESSING', stateSince: began },
      attempts: [
        {
          ...{ attempt: 1, owner: 'worker', fencingToken: '1', startedAt: began },
          ...{ effectStartedAt: null, outcome: null, endedAt: null },
        },
      ],
      // Only the members that are read are given.
    } as unknown as LifeFacts;
    expect(lane(facts, 'LEASE')).toEqual([['PAST', ['lease']]]);
  });

  it('R-047d is the same however the facts were read', () => {
    fc.assert(
      fc.property(life, (facts) => {
        const turned: LifeFacts = {
          ...facts,
          arrivals: { ...facts.arrivals, shown: facts.arrivals.shown.toReversed() },
          ...{ evidence: facts.evidence.toReversed(), requests: facts.requests.toReversed() },
          ...{ lateReports: facts.lateReports.toReversed(), exceptions: facts.exceptions.toReversed() },
        };
        expect(lifeLine(turned)).toEqual(lifeLine(facts));
      }),
    );
  });
});

describe('R-047e a pause', () => {
  it('R-047e of days leaves a burst of two seconds legible, and is drawn broken with its length', () => {
    const axis = timeAxis([0, 300, 2 * SECOND, 3 * DAY, 3 * DAY + SECOND]);
    expect(axis.placeOf(2 * SECOND) - axis.placeOf(0)).toBeGreaterThan(0.2);
    expect(axis.silences).toEqual([
      { from: axis.placeOf(2 * SECOND), to: axis.placeOf(3 * DAY), milliseconds: 3 * DAY - 2 * SECOND },
    ]);
    expect(axis.begins.map(({ instant }) => instant)).toEqual([0, 3 * DAY]);
  });

  it('R-047e takes the same room whatever its length, and whatever is shorter than one is drawn to its length', () => {
    const room = (gap: number) => timeAxis([0, gap]).room;
    expect(room(30 * DAY)).toBe(room(5 * MINUTE));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 * MINUTE - 2 }), (gap) => {
        expect(room(gap + 1)).toBeGreaterThan(room(gap));
        expect(timeAxis([0, gap]).silences).toEqual([]);
      }),
    );
  });
});

describe('R-047f the life line says no more than is known', () => {
  const tried = (change: object) => ({
    ...NOTHING,
    now: at(MINUTE),
    execution: { leaseExpiresAt: at(30 * SECOND), state: 'UNKNOWN', stateSince: at(40 * SECOND) },
    attempts: [
      {
        ...{ attempt: 1, owner: 'worker', fencingToken: '1', startedAt: at(0), effectStartedAt: at(SECOND) },
        ...{ endedAt: null, outcome: null },
      },
    ],
    ...change,
  });
  // Only the members that are read are made; the others stay out of the way of what is tried.
  const facts = (change: object = {}) => tried(change) as unknown as LifeFacts;

  it('R-047f shows an effect that started as one that may exist, until somebody knew', () => {
    expect(lane(facts(), 'EFFECT')).toEqual([['MAY_EXIST', ['effect-1']]]);
    const decision = { decisionId: 'd', at: at(50 * SECOND), decision: 'CONFIRM_NOT_APPLIED' };
    expect(lane(facts({ decisions: [decision] }), 'EFFECT')).toEqual([['MAY_HAVE_EXISTED', ['effect-1']]]);
    const extended = { ...decision, decision: 'EXTEND' };
    expect(lane(facts({ decisions: [extended] }), 'EFFECT')).toEqual([['MAY_EXIST', ['effect-1']]]);
    const linked = { ...decision, decision: 'LINK_RESULT' };
    expect(lane(facts({ decisions: [linked] }), 'EFFECT')).toEqual([
      ['MAY_HAVE_EXISTED', ['effect-1']],
      ['RESULT_LINKED', ['linked-d']],
    ]);
  });

  it('R-047f shows "not there" before its horizon as what proves nothing yet', () => {
    const look = (usableFrom: string) => ({
      evidence: [{ lookupId: 'l', verdict: 'NOT_APPLIED', checkedAt: at(40 * SECOND), usableFrom }],
    });
    expect(lane(facts(look(at(MINUTE))), 'LOOKS')).toEqual([['TOO_EARLY', ['l']]]);
    expect(lane(facts(look(at(SECOND))), 'LOOKS')).toEqual([['NOT_APPLIED', ['l']]]);
  });

  it('R-047f shows what is past the lease apart from what it covers', () => {
    expect(lane(facts(), 'LEASE')).toEqual([
      ['BELIEVED', ['believed']],
      ['PAST', ['lease']],
    ]);
    const reported = { ...facts().attempts[0]!, endedAt: at(20 * SECOND), outcome: 'UNKNOWN' };
    expect(lane(facts({ attempts: [reported] }), 'LEASE')).toEqual([['BELIEVED', ['believed']]]);
  });

  it('R-047f tells what was asked for, what was done and that the exception ended apart', () => {
    const request = { requestId: 'r', requestedAt: at(41 * SECOND), stateSince: at(45 * SECOND) };
    const drawn = (state: string) =>
      lane(facts({ requests: [{ ...request, state }] }), 'DECISIONS').map(([sort]) => sort);
    expect(drawn('PENDING')).toEqual(['REQUESTED']);
    expect(drawn('APPROVED')).toEqual(['REQUESTED', 'APPROVED']);
    expect(drawn('REJECTED')).toEqual(['REQUESTED', 'CAME_TO_NOTHING']);
    const done = {
      requests: [{ ...request, state: 'EXECUTED' }],
      decisions: [{ decisionId: 'd', at: at(45 * SECOND), decision: 'CONFIRM_NOT_APPLIED' }],
      exceptions: [
        { exceptionId: 'x', kind: 'UNKNOWN_RESULT', openedAt: at(40 * SECOND), closedAt: at(45 * SECOND) },
      ],
    };
    expect(lane(facts(done), 'DECISIONS').map(([sort]) => sort)).toEqual([
      'REQUESTED',
      'CONFIRMED',
      'EXECUTED',
    ]);
  });
});
