import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { doubtFixture, type DoubtFixture, type EvidenceForm } from '@/lib/testing/doubt-fixture';
import { changePerson, deskFixture, RATIONALE, type DeskFixture } from '@/lib/testing/desk-fixture';
import { confirmNotApplied } from './confirm-not-applied';
import { declareUnknown } from './declare-unknown';
import type { LookingContext } from './desk-context';
import { extend } from './extend';
import { failFinally } from './fail-finally';
import { keepOriginal } from './keep-original';
import { linkResult } from './link-result';

let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
let doubts: DoubtFixture;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
  doubts = doubtFixture(desk, operator);
  await desk.ledger.policy('set-flag', { connector_id: 'stub-payments', effect_class: 'REVERSIBLE' });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

async function stuck() {
  const { id, key, token } = await desk.ledger.started(randomUUID(), { leaseSeconds: 1 });
  await db.advanceClock('2 seconds');
  await desk.ledger.sweep();
  const exceptionId = await desk.exceptionOf(id);
  const { form } = await desk.seen(operator, exceptionId);
  return { id, key, token, exceptionId, form };
}

const stateOf = async (id: string) => (await desk.ledger.row(id)).state;

describe('link result', () => {
  it('R-066a completes the execution, closes the exception, and later retransmissions get the result', async () => {
    const { id, key, form } = await doubts.paid();
    expect(await linkResult(operator, form)).toMatchObject({ outcome: 'done' });
    expect(await desk.ledger.row(id)).toMatchObject({
      state: 'SUCCEEDED',
      result_id: `PAY-${key}`,
      fencing_token: '2',
    });
    expect(await desk.ledger.exceptions(id)).toMatchObject([
      { state: 'CLOSED', closing_code: 'LINK_RESULT' },
    ]);
    const again = await desk.ledger.claim(key, { target: { system: 'payment', account: 'main' } });
    expect(again).toMatchObject({ disposition: 'RESULT_REUSED', execution: { resultId: `PAY-${key}` } });
    expect(await desk.audit({ operationId: form.operationId })).toMatchObject([
      { event: 'decision.result_linked', outcome: 'done', actor_id: operator.actor.personId },
    ]);
  });

  it('R-066b a result that is linked elsewhere is refused and nothing moves', async () => {
    const first = await doubts.paid();
    await linkResult(operator, first.form);
    const second = await desk.unknownPayment();
    desk.answerItems(desk.payment(second.key, { id: `PAY-${first.key}` }));
    const evidenceId = await doubts.look(second.exceptionId);
    const { form } = await desk.seen(operator, second.exceptionId);
    expect(await linkResult(operator, { ...form, evidenceId, lookAgain: false })).toMatchObject({
      outcome: 'refused',
      code: 'RESULT_LINKED_ELSEWHERE',
    });
    expect(await stateOf(second.id)).toBe('UNKNOWN');
  });

  it('R-077a LC-03 LC-06 of two people with the same page one decides; the other is told what changed', async () => {
    const { form, id } = await doubts.paid();
    const colleague = await desk.desk();
    const answers = await Promise.all([
      linkResult(operator, form),
      linkResult(colleague, { ...form, operationId: randomUUID() }),
    ]);
    expect(answers.map((each) => each.outcome).sort()).toEqual(['done', 'refused']);
    expect(answers.find((each) => each.outcome === 'refused')).toMatchObject({ code: 'EXCEPTION_CLOSED' });
    expect(await stateOf(id)).toBe('SUCCEEDED');
  });

  it('R-077b B-94 the same click sent twice at once decides once and is answered twice', async () => {
    const { form, id } = await doubts.paid();
    const answers = await Promise.all([linkResult(operator, form), linkResult(operator, form)]);
    expect(answers.map((each) => each.outcome)).toEqual(['done', 'done']);
    const { rows } = await db
      .pool('owner')
      .query('SELECT 1 FROM review.decisions WHERE execution_id = $1', [id]);
    expect(rows).toHaveLength(1);
  });

  it('R-077c AU-02 when the audit cannot be written nothing has happened', async () => {
    const { form } = await doubts.paid();
    const before = await desk.everything();
    const mend = await desk.breakAudit();
    await expect(linkResult(operator, form)).rejects.toThrow();
    await mend();
    expect(await desk.everything()).toEqual(before);
  });

  it('R-060e LC-07 what the outside system says now decides, not what it said before', async () => {
    const { form, id, key, exceptionId } = await doubts.paid();
    desk.answerItems(desk.payment(key, { status: 'reversed' }));
    await doubts.look(exceptionId);
    const answer = await linkResult(operator, form);
    expect(answer).toMatchObject({ outcome: 'refused' });
    expect(await stateOf(id)).toBe('UNKNOWN');
  });

  it.each([
    [{ roles: ['MANAGER'] }, 'ROLE_MISSING'],
    [{ roles: ['ADMIN'] }, 'ROLE_MISSING'],
    [{ authorities: [] }, 'AUTHORITY_MISSING'],
    [{ tenants: ['tenant-south'] }, 'NOT_FOUND'],
  ])(
    'R-078a R-074a a person with %j is refused with %s, and the attempt is audited',
    async (rights, code) => {
      const { form, id } = await doubts.paid();
      const other = await desk.desk(rights);
      expect(await linkResult(other, form)).toMatchObject({ outcome: 'refused', code });
      expect(await stateOf(id)).toBe('UNKNOWN');
      expect(await desk.audit({ operationId: form.operationId })).toMatchObject([
        { outcome: 'refused', refusal_code: code, actor_id: other.actor.personId },
      ]);
    },
  );

  it('R-078a AN-07 a right that was taken away a moment ago is gone', async () => {
    const person = await desk.desk();
    const { form } = await doubts.paid();
    await changePerson(db, person.actor.personId, `roles = '{MANAGER}'`);
    expect(await linkResult(person, form)).toMatchObject({ outcome: 'refused', code: 'ROLE_MISSING' });
  });
});

describe('not applied and final failure', () => {
  it('R-067a a reversible operation: fresh proof past the horizon frees the same key', async () => {
    const { id, key, form } = await doubts.unpaid({ operation: 'set-flag' });
    expect(await confirmNotApplied(operator, form)).toMatchObject({ outcome: 'done' });
    expect(await stateOf(id)).toBe('FAILED_RETRYABLE');
    const more = { operation: 'set-flag', target: { system: 'payment', account: 'main' } };
    expect(await desk.ledger.claim(key, more)).toMatchObject({ disposition: 'RETRY_SAME_KEY' });
  });

  it('R-064i before the horizon "not found" carries nothing', async () => {
    const { exceptionId, id } = await desk.unknownPayment({ operation: 'set-flag' });
    desk.answerItems();
    const evidenceId = await doubts.look(exceptionId);
    const { form } = await desk.seen(operator, exceptionId);
    expect(await confirmNotApplied(operator, { ...form, evidenceId, lookAgain: false })).toMatchObject({
      outcome: 'refused',
      code: 'HORIZON_NOT_OVER',
    });
    expect(await stateOf(id)).toBe('UNKNOWN');
  });

  it('R-068 final failure of something in doubt needs the same proof, and then answers later callers', async () => {
    const shown = await doubts.paid();
    expect(await failFinally(operator, shownForm(shown.form))).toMatchObject({
      outcome: 'refused',
      code: 'EVIDENCE_MISSING',
    });
    const { id, key, form } = await doubts.unpaid();
    expect(await failFinally(operator, shownForm(form))).toMatchObject({ outcome: 'done' });
    expect(await stateOf(id)).toBe('FAILED_FINAL');
    expect(await desk.ledger.claim(key, { target: { system: 'payment', account: 'main' } })).toMatchObject({
      code: 'EXECUTION_FAILED_FINAL',
    });
  });

  it.each(['', '   ', '\u200b\u200b\u200b\u200b\u200b\u200b\u200b\u200b\u200b\u200b\u200b', 'short'])(
    'FE-13 R-069a the reason %j is none',
    async (rationale) => {
      const { form } = await doubts.unpaid({ operation: 'set-flag' });
      expect(await confirmNotApplied(operator, { ...form, rationale })).toMatchObject({
        outcome: 'refused',
        code: 'RATIONALE_LENGTH',
      });
    },
  );

  it('R-078b a reason that holds a password is refused and kept nowhere', async () => {
    const { form } = await doubts.unpaid({ operation: 'set-flag' });
    const rationale = `${RATIONALE} password: hunter2-canary`;
    expect(await confirmNotApplied(operator, { ...form, rationale })).toMatchObject({
      outcome: 'refused',
      code: 'SECRET_IN_TEXT',
    });
    expect(JSON.stringify(await desk.everything())).not.toContain('hunter2-canary');
  });
});

const shownForm = ({ evidenceId: _evidenceId, lookAgain: _lookAgain, ...form }: EvidenceForm) => form;

describe('stuck work and conflicts', () => {
  it('R-075 extending keeps the owner’s token good and closes the exception', async () => {
    const { id, token, form } = await stuck();
    expect(await extend(operator, { ...form, seconds: 600 })).toMatchObject({ outcome: 'done' });
    expect(await desk.ledger.exceptions(id)).toMatchObject([{ state: 'CLOSED', closing_code: 'EXTEND' }]);
    expect(
      await desk.ledger.report('complete', id, { fencingToken: token, resultId: `R-${id}` }),
    ).toMatchObject({ code: null });
  });

  it('R-075 declaring unknown fences the owner; its late success is kept and settles nothing by itself', async () => {
    const { id, token, form } = await stuck();
    expect(await declareUnknown(operator, form)).toMatchObject({ outcome: 'done' });
    expect(await desk.ledger.exceptions(id)).toMatchObject([{ kind: 'UNKNOWN_RESULT', state: 'OPEN' }]);
    for (const fencingToken of [token, String(Number(token) + 1)]) {
      expect(await desk.ledger.report('complete', id, { fencingToken, resultId: `R-${id}` })).toMatchObject({
        code: 'FENCED',
      });
    }
    expect(await stateOf(id)).toBe('UNKNOWN');
  });

  it('R-073 R-074b keeping the original closes the conflict; the same refused content joins it, other content opens anew', async () => {
    const { id, key } = await desk.ledger.started();
    const other = (digit: string) => desk.ledger.claim(key, { fingerprint: `sha256:${digit.repeat(64)}` });
    await other('1');
    const { form } = await desk.seen(operator, await desk.exceptionOf(id));
    expect(await keepOriginal(operator, form)).toMatchObject({ outcome: 'done' });
    await other('1');
    expect(await desk.ledger.exceptions(id)).toMatchObject([{ state: 'CLOSED' }]);
    await other('2');
    expect((await desk.ledger.exceptions(id)).map((each) => each.state)).toEqual(['CLOSED', 'OPEN']);
  });

  it('R-074b a decision that does not belong to the kind is refused', async () => {
    const { form } = await doubts.paid();
    expect(await keepOriginal(operator, shownForm(form))).toMatchObject({
      outcome: 'refused',
      code: 'DECISION_NOT_FOR_KIND',
    });
  });
});
