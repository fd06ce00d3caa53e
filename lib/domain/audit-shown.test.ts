import { describe, expect, it } from 'vitest';
import { auditEvent } from '../testing/audit-event';
import { amountsIn, shownThen, toldElsewhere } from './audit-shown';

const exposure = {
  ...{ originalState: 'SUCCEEDED', originalEffect: 'EXISTS', originalEffects: 1, originalResultId: 'PAY-1' },
  ...{ originalAmount: '30000', originalCurrency: 'KRW', newAmount: '60000', newCurrency: 'KRW' },
  ...{ bothAmount: '90000', bothCurrency: 'KRW', bothEffects: 2 },
};
const act = (event: string, body: object) => auditEvent(9, { event, executionId: 'original' }, body);
const request = act('reissue.requested', { evidenceId: 'L2' });

describe('what was shown to whoever asked or decided', () => {
  it('R-088v is told of who asks and of who decides, and of nobody who settles nothing', () => {
    expect(shownThen(act('reissue.requested', {}), null)?.to).toBe('ASKED');
    expect(shownThen(act('reissue.approved', {}), null)?.to).toBe('DECIDED');
    for (const event of ['exception.commented', 'lookup.recorded', 'break_glass.reviewed'])
      expect(shownThen(act(event, {}), null)).toBeNull();
  });

  it('R-088v tells a look from none and from what nobody recorded, and whether the act stands on it', () => {
    const shown = (body: object, asked: typeof request | null = null) =>
      shownThen(act('decision.result_linked', body), asked);
    expect(shown({ shownEvidenceId: 'L1', evidenceId: 'L1' })).toMatchObject({ look: 'LOOK', restsOn: 'IT' });
    expect(shown({ shownEvidenceId: 'L1', evidenceId: 'L2' })?.restsOn).toBe('OTHER');
    expect(shown({ shownEvidenceId: 'L2', evidenceId: null }, request)?.restsOn).toBe('IT');
    expect(shown({ shownEvidenceId: null })).toMatchObject({ look: 'NONE', restsOn: 'NONE' });
    expect(shown({})?.look).toBe('UNTOLD');
  });

  it('R-088v reads both amounts and the effects at most from the event itself', () => {
    const shown = shownThen(act('reissue.approved', { relation: 'CORRECTION', exposure }), null);
    expect(shown).toMatchObject({ relation: 'CORRECTION' });
    expect(shown?.exposure).toMatchObject({
      ...{ effect: 'EXISTS', effects: 1, bothEffects: 2, resultId: 'PAY-1' },
      original: { value: '30000', currency: 'KRW' },
      added: { value: '60000', currency: 'KRW' },
      both: { value: '90000', currency: 'KRW' },
    });
    expect(shownThen(act('decision.extended', {}), null)?.exposure).toBeNull();
  });

  it('R-088v what stands under a heading of its own is no further detail', () => {
    const body = { exposure, evidenceId: 'L1', shownEvidenceId: 'L1', after: { resultId: 'PAY-1' } };
    const told = toldElsewhere(act('reissue.approved', body), true);
    for (const name of ['newAmount', 'evidenceId', 'shownEvidenceId', 'onBehalfOf', 'resultId'])
      expect(told).toContain(name);
    expect(toldElsewhere(act('reissue.approved', body), false)).not.toContain('evidenceId');
    expect(toldElsewhere(act('exception.deferred', body), true)).not.toContain('shownEvidenceId');
  });

  it('R-088w tells what an execution is worth, and a key that was made for it', () => {
    const made = act('reissue.executed', { exposure, params: { newExecutionId: 'new' } });
    expect([...amountsIn([made])]).toEqual([
      ['original', { value: '30000', currency: 'KRW' }],
      ['new', { value: '60000', currency: 'KRW' }],
    ]);
  });
});
