import { describe, expect, it } from 'vitest';
import { actStage } from './act-stage';
import { AUDIT_EVENTS } from './audit-events';
import { CATALOGUE } from './messages/catalogue';

describe('what an act has brought about', () => {
  it('R-083a a request is requested, an approval decided, and only what the ledger holds is done there', () => {
    expect(actStage('reissue.requested')).toBe('REQUESTED');
    expect(actStage('reissue.approved')).toBe('DECIDED');
    expect(actStage('reissue.executed')).toBe('LEDGER');
    expect(actStage('exception.commented')).toBe('RECORDED');
    expect(actStage('of.tomorrow')).toBe('RECORDED');
    for (const event of AUDIT_EVENTS.filter((each) => each.endsWith('requested')))
      expect(actStage(event)).toBe('REQUESTED');
  });

  it('R-083a in Korean a finished execution, an act and an outside status have words of their own', () => {
    const { audit, glossary, lookup } = CATALOGUE.ko;
    const words = [
      glossary.state.SUCCEEDED.label,
      audit.outcome.done,
      ...Object.values(audit.stage),
      lookup.status.done,
    ];
    expect(new Set(words).size).toBe(words.length);
  });
});
