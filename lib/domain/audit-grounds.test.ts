import { describe, expect, it } from 'vitest';
import { readAuditBody } from './audit-body';
import { missingGrounds, originalEffectOf } from './audit-grounds';

const told = (event: string, body: object, more: object = {}) => ({
  ...{ event, outcome: 'done', body: JSON.stringify(body), texts: null },
  ...more,
});

describe('a decision without a reason or evidence', () => {
  it('R-086k nobody was asked for a reason, and it says so; an erased one was given', () => {
    const linked = told('decision.result_linked', { rationale: null, evidenceId: 'L1' });
    expect(missingGrounds(linked, null)).toEqual({ noReason: true, noLook: false });
    const erased = told('decision.result_linked', { commitments: { rationale: 'aa' }, evidenceId: 'L1' });
    expect(missingGrounds(erased, null).noReason).toBe(false);
    expect(missingGrounds(told('decision.extended', { rationale: 'It works.' }), null).noReason).toBe(false);
    const emergency = told('break_glass.used', { reason: 'The shop is closed otherwise.' });
    expect(missingGrounds(emergency, null).noReason).toBe(false);
  });

  it('R-086k neither it nor its request names a look; one of them is enough', () => {
    const request = told('reissue.requested', { rationale: 'Asked.', evidenceId: null });
    const approval = told('reissue.approved', { rationale: 'Agreed.' });
    expect(missingGrounds(request, null)).toEqual({ noReason: false, noLook: true });
    expect(missingGrounds(approval, request).noLook).toBe(true);
    expect(missingGrounds(approval, told('reissue.requested', { evidenceId: 'L1' })).noLook).toBe(false);
  });

  it('R-086k what is no decision, or did not come about, has nothing to be missing', () => {
    for (const event of ['exception.commented', 'session.signed_in', 'reissue.expired'])
      expect(missingGrounds(told(event, {}), null)).toEqual({ noReason: false, noLook: false });
    const refused = told('decision.result_linked', {}, { outcome: 'refused' });
    expect(missingGrounds(refused, null)).toEqual({ noReason: false, noLook: false });
  });

  it('R-086k what is said of the original’s effect is the ledger’s word', () => {
    const exposure = { originalEffect: 'EXISTS', originalState: 'SUCCEEDED' };
    expect(originalEffectOf(told('reissue.requested', { exposure }))).toBe('EXISTS');
    expect(originalEffectOf(told('reissue.requested', { originalEffect: 'PERHAPS' }))).toBeNull();
    expect(originalEffectOf(told('decision.extended', {}))).toBeNull();
  });
});

describe('the authorities of then', () => {
  it('R-086i none held and none recorded are two things, and they are no further detail', () => {
    const read = (body: object) => readAuditBody(JSON.stringify(body));
    expect(read({ authoritiesThen: [] }).authoritiesThen).toEqual([]);
    expect(read({ authoritiesThen: ['money'] })).toMatchObject({ authoritiesThen: ['money'], details: [] });
    expect(read({ decision: 'EXTEND' }).authoritiesThen).toBeNull();
  });
});
