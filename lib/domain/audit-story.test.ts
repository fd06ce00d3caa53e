import { describe, expect, it } from 'vitest';
import { auditContext, lookBefore, lookStart, sameSecond, twoPeopleOf } from './audit-story';
import type { AuditRecord } from './audit-events';

const event = (number: number, own: Partial<AuditRecord>, body: unknown = {}): AuditRecord => ({
  number: String(number),
  eventId: `e${number}`,
  occurredAt: '2026-11-29T17:39:00.000000Z',
  event: 'lookup.recorded',
  outcome: 'done',
  refusalCode: null,
  actorKind: 'person',
  actorId: 'p',
  actorName: 'P',
  actorRoles: [],
  tenantId: 't',
  exceptionId: 'x',
  executionId: null,
  approvalRequestId: null,
  operation: null,
  operationId: null,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  httpRequestId: 'r',
  sourceAddress: null,
  previousHash: '',
  hash: '',
  ...own,
});
const older = event(7, {}, { lookupId: 'L1', verdict: 'UNCLEAR' });
const look = event(9, {}, { lookupId: 'L2', verdict: 'APPLIED' });
const refused = event(10, { event: 'reissue.requested', outcome: 'refused', approvalRequestId: 'q' });
const request = event(11, { event: 'reissue.requested', approvalRequestId: 'q' }, { evidenceId: 'L2' });
const approval = event(12, { event: 'reissue.approved', approvalRequestId: 'q' });
const executed = event(100, { event: 'reissue.executed', approvalRequestId: 'q' });
const story = [older, look, refused, request, approval, executed];

describe('what stands around an event', () => {
  it('R-088b an approval shows its request, the look that the request stands on, and what came of it', () => {
    expect(auditContext(approval, story)).toEqual({
      ...{ request, shown: null, evidence: look, moment: 'SHOWN', after: [executed] },
    });
  });

  it('R-088b a decision shows its own look, by number and not by text, and nothing that came later', () => {
    const decision = event(13, { event: 'decision.result_linked' }, { evidenceId: 'L1' });
    const later = event(101, {}, { lookupId: 'L1' });
    expect(auditContext(decision, [older, look, decision, executed, later])).toEqual({
      request: null,
      shown: null,
      evidence: older,
      moment: 'SHOWN',
      after: [executed, later],
    });
    expect(auditContext(event(13, {}, { evidenceId: 'L9' }), story).evidence).toBeNull();
    expect(auditContext(event(8, {}, { evidenceId: 'L2' }), story).evidence).toBeNull();
  });

  it('R-088b a text that is no object has no context of its own', () => {
    for (const body of ['null', '[]', 'x', '{"evidenceId": 5}'])
      expect(auditContext(event(200, {}, body), story)).toEqual({
        ...{ request: null, shown: null, evidence: null, moment: 'SHOWN', after: [] },
      });
  });

  it('R-086g the look that was shown stands beside the one that was made on deciding', () => {
    const body = { evidenceId: 'L2', shownEvidenceId: 'L1' };
    const decision = event(13, { event: 'decision.result_linked' }, body);
    expect(auditContext(decision, [...story, decision])).toMatchObject({
      ...{ shown: older, evidence: look, moment: 'ON_DECIDING' },
    });
    const same = event(13, {}, { evidenceId: 'L2', shownEvidenceId: 'L2' });
    expect(auditContext(same, story)).toMatchObject({ shown: null, evidence: look, moment: 'SHOWN' });
  });

  it('R-086g the look on which a new key was made came after the approval, also in events from before', () => {
    const made = event(100, { event: 'reissue.executed', approvalRequestId: 'q' }, { evidenceId: 'L2' });
    expect(auditContext(made, story)).toMatchObject({ evidence: look, moment: 'AFTER_APPROVAL' });
  });

  it('R-088w the last look before an event is one at its own execution that came about', () => {
    const of = (number: number, more: Partial<AuditRecord> = {}) =>
      event(number, { executionId: 'e', ...more }, { lookupId: `L${number}` });
    const act = of(6, { event: 'decision.extended' });
    const around = [of(1), of(2, { executionId: 'other' }), of(3, { outcome: 'failed' }), act, of(9)];
    expect(lookBefore(act, around)?.number).toBe('1');
    expect(lookBefore(act, [act, of(9)])).toBeNull();
  });

  it('R-088aa a look says how it came about', () => {
    const system = { actorKind: 'system', executionId: 'e' };
    const [first, second] = [event(1, system, { lookupId: 'L1' }), event(2, system, { lookupId: 'L2' })];
    const body = { evidenceId: 'L2', params: { newExecutionId: 'n' } };
    const made = event(3, { event: 'reissue.executed', executionId: 'e' }, body);
    expect(lookStart(first, [first, second])).toBe('AT_OPENING');
    expect(lookStart(second, [first, second])).toBe('SCHEDULE');
    expect(lookStart(second, [first, second, made])).toBe('AFTER_APPROVAL');
    expect(lookStart(event(1, { executionId: 'e' }), [])).toBe('BY_PERSON');
    expect(lookStart(event(1, { event: 'evidence.recorded' }), [])).toBe('BY_HAND');
  });

  it('R-088z events that share a second with another one are known', () => {
    const at = (number: number, occurredAt: string) => event(number, { occurredAt });
    const told = [
      at(1, '2026-11-29T17:39:00.100000Z'),
      at(2, '2026-11-29T17:39:00.900000Z'),
      at(3, '2026-11-29T17:39:01.000000Z'),
    ];
    expect([...sameSecond(told)]).toEqual(['1', '2']);
  });

  it('R-088y a refused try of the second person is no answer', () => {
    const tried = event(13, { event: 'reissue.approved', approvalRequestId: 'q', outcome: 'refused' });
    expect(twoPeopleOf(request, [request, tried])).toMatchObject({ asked: request, agreed: [], over: false });
    expect(twoPeopleOf(request, story)).toMatchObject({ agreed: [approval] });
  });
});
