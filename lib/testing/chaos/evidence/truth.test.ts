import { describe, expect, test } from 'vitest';
import type { Case } from './cases';
import { faultOf, thingsOf, type Claim, type Thing } from './truth';

const about: Case = {
  ...{ key: 'k', operation: 'create-payment', system: 'payment', account: 'ours' },
  ...{ payload: { amount: 5 }, faults: [], byHand: null },
};
const thing: Thing = {
  ...{ id: 'PAY-1', reference: 'k', account: 'ours', at: 1_000, visibleAt: 1_000, amount: 5 },
  ...{ method: 'card', goneAt: null, reversedAt: null },
};
const claim = (says: Claim['says'], from = 5_000, resultId: string | null = 'PAY-1'): Claim => ({
  ...{ says, from, to: from + 100, resultId },
});
const holds = (made: Claim, ...things: Thing[]) => faultOf(made, about, things) === null;

describe('what the systems themselves say about a claim', () => {
  test('"applied" is true of the one finished effect of ours that could be seen then', () => {
    expect(holds(claim('APPLIED'), thing)).toBe(true);
    expect(holds(claim('APPLIED'))).toBe(false);
    expect(holds(claim('APPLIED', 5_000, 'PAY-2'), thing)).toBe(false);
    expect(holds(claim('APPLIED'), { ...thing, account: 'theirs' })).toBe(false);
    expect(holds(claim('APPLIED'), { ...thing, amount: 6 })).toBe(false);
    expect(holds(claim('APPLIED'), thing, { ...thing, id: 'PAY-2' })).toBe(false);
    expect(holds(claim('APPLIED'), { ...thing, visibleAt: 9_000 })).toBe(false);
    expect(holds(claim('APPLIED'), { ...thing, reversedAt: 4_000 })).toBe(false);
    expect(holds(claim('APPLIED'), { ...thing, method: 'expired-card' })).toBe(false);
  });

  test('a transfer is done after a minute, and a claim is true if it was at any instant of its answer', () => {
    const transfer = { ...thing, method: 'bank-transfer' };
    expect(holds(claim('APPLIED', 60_000), transfer)).toBe(false);
    expect(holds(claim('APPLIED', 60_950), transfer)).toBe(true);
  });

  test('"not applied" is a promise: nothing of ours may come of it later either', () => {
    expect(holds(claim('NOT_APPLIED', 5_000, null))).toBe(true);
    expect(holds(claim('NOT_APPLIED', 5_000, null), { ...thing, at: 90_000, visibleAt: 95_000 })).toBe(false);
    expect(holds(claim('NOT_APPLIED', 5_000, null), { ...thing, account: 'theirs' })).toBe(true);
    expect(holds(claim('NOT_APPLIED'), { ...thing, method: 'expired-card' })).toBe(true);
  });

  test('"reversed", "several" and "something else" are told apart', () => {
    expect(holds(claim('REVERSED'), { ...thing, reversedAt: 4_000 })).toBe(true);
    expect(holds(claim('REVERSED'), { ...thing, reversedAt: 6_000 })).toBe(false);
    expect(holds(claim('SEVERAL', 5_000, null), thing, { ...thing, id: 'PAY-2' })).toBe(true);
    expect(holds(claim('SEVERAL', 5_000, null), thing)).toBe(false);
    expect(holds(claim('OTHER_THING'), { ...thing, account: 'theirs' })).toBe(true);
    expect(holds(claim('OTHER_THING'), { ...thing, amount: 6 })).toBe(true);
    expect(holds(claim('OTHER_THING'), thing)).toBe(false);
    expect(holds(claim('OTHER_THING'))).toBe(false);
  });

  test('a deletion is shown by absence', () => {
    const deletion: Case = { ...about, operation: 'delete-crm-record', payload: { recordId: 'CRM-1' } };
    const record = { ...thing, id: 'CRM-1' };
    const gone = { ...record, goneAt: 4_000 };
    expect(faultOf(claim('APPLIED', 5_000, 'CRM-1'), deletion, [gone])).toBeNull();
    expect(faultOf(claim('APPLIED', 3_000, 'CRM-1'), deletion, [gone])).not.toBeNull();
    expect(faultOf(claim('NOT_APPLIED', 3_000, 'CRM-1'), deletion, [record])).toBeNull();
    expect(faultOf(claim('NOT_APPLIED', 3_000, 'CRM-1'), deletion, [gone])).not.toBeNull();
    expect(faultOf(claim('NOT_APPLIED', 3_000, 'CRM-1'), deletion, [])).not.toBeNull();
  });

  test('a journal is read as what exists now', () => {
    const at = new Date(1_000).toISOString();
    const made = { type: 'payment', id: 'P', reference: 'k', account: 'ours', amount: 5, method: 'card', at };
    const entries = [made, { type: 'arrived', arrivalId: 'a' }, { type: 'reversal', id: 'P', at }];
    expect(thingsOf(entries)).toEqual([{ ...thing, id: 'P', reversedAt: 1_000 }]);
    const mail = { type: 'message', id: 'M', headers: { 'X-Reference': 'k' }, account: 'ours', at };
    expect(thingsOf([mail])).toMatchObject([{ id: 'M', reference: 'k', amount: null }]);
    const record = { type: 'record', id: 'C', externalReference: 'k', account: 'ours', at };
    expect(thingsOf([record, { type: 'deletion', id: 'C', at }])).toMatchObject([{ id: 'C', goneAt: 1_000 }]);
  });
});
