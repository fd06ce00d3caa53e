// Which effect counts: what the ledger could not keep is refused by name, at the request and again at the verdict.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { NORTH } from '@/lib/testing/ledger-fixture';
import { decideRequest } from './decide-request';
import type { LookingContext } from './desk-context';
import { extend } from './extend';
import { requestEffectSettlement } from './request-effect-settlement';
import { settleOperation } from './settle-operation';

let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
let approver: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
  approver = await desk.desk({ roles: ['APPROVER'] });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const target = { system: 'payment', account: 'main' };

async function completed(resultId: string): Promise<string> {
  const { id, token } = await desk.ledger.started(randomUUID(), { target });
  await desk.ledger.report('complete', id, { fencingToken: token, resultId });
  return id;
}

/** A success that names a result of another account stays in doubt, and a person asks that `resultId` counts. */
async function inDoubt() {
  const { id, token } = await desk.ledger.started(randomUUID(), { target });
  await desk.ledger.report('complete', id, {
    fencingToken: token,
    resultId: `PAY-${id}`,
    target: { system: 'payment', account: 'other' },
  });
  const exceptionId = await desk.exceptionOf(id, 'RESULT_MISMATCH');
  const { form, view } = await desk.seen(operator, exceptionId);
  const settlement = (resultId: string | null) => ({
    ...form,
    outcome: resultId === null ? 'NOT_OURS' : 'APPLIED',
    resultId,
    resultUrl: null,
    businessImpact: 'one customer',
    otherFate: 'NONE',
    compensationId: null,
  });
  return { id, exceptionId, view, settlement };
}

async function verdictOn(id: string) {
  const { rows } = await db
    .pool('owner')
    .query<{ request_id: string; digest: string; state: string; void_reason: string | null }>(
      'SELECT request_id, digest, state, void_reason FROM review.approval_requests WHERE execution_id = $1',
      [id],
    );
  const { request_id: requestId, digest, state, void_reason: voidReason } = rows[0]!;
  const rationale = 'I compared both by hand.';
  return {
    state,
    voidReason,
    input: { requestId, digest, operationId: randomUUID(), verdict: 'APPROVE', rationale, lookAgain: false },
  };
}

describe('a result that another execution has', () => {
  it('R-066b R-083 is refused at the request, audited, and the page offers it nowhere', async () => {
    const taken = `PAY-${randomUUID()}`;
    const { id, token } = await desk.ledger.started(randomUUID(), { target });
    await completed(taken);
    await desk.ledger.report('complete', id, { fencingToken: token, resultId: taken });
    const exceptionId = await desk.exceptionOf(id, 'RESULT_MISMATCH');
    const { form, view } = await desk.seen(operator, exceptionId);
    expect(view.execution?.reportedResultId).toBe(taken);
    expect(view.resultsElsewhere).toEqual([taken]);
    const asked = { outcome: 'APPLIED', resultId: taken, resultUrl: null, businessImpact: 'one customer' };
    const input = { ...form, ...asked, otherFate: 'NONE', compensationId: null };
    expect(await requestEffectSettlement(operator, input)).toEqual({
      outcome: 'refused',
      code: 'RESULT_LINKED_ELSEWHERE',
    });
    expect(await desk.audit({ operationId: form.operationId })).toMatchObject([
      { outcome: 'refused', refusal_code: 'RESULT_LINKED_ELSEWHERE' },
    ]);
  });

  it('R-066b R-083 linked after the request: the verdict is told so, and the request is void', async () => {
    const { id, settlement } = await inDoubt();
    const resultId = `PAY-${randomUUID()}`;
    expect(await requestEffectSettlement(operator, settlement(resultId))).toMatchObject({
      outcome: 'requested',
    });
    await completed(resultId);
    const { input } = await verdictOn(id);
    const told = { outcome: 'refused', code: 'REQUEST_VOID', voidReason: 'RESULT_LINKED_ELSEWHERE' };
    expect(await decideRequest(approver, input)).toEqual(told);
    expect(await verdictOn(id)).toMatchObject({ state: 'VOID', voidReason: 'RESULT_LINKED_ELSEWHERE' });
    expect(await desk.ledger.row(id)).toMatchObject({ state: 'UNKNOWN', result_id: null });
    expect(await desk.audit({ operationId: input.operationId })).toMatchObject([
      { event: 'confirmation.voided', outcome: 'done', body: { reason: 'RESULT_LINKED_ELSEWHERE' } },
      { event: 'decision.effect_settled', outcome: 'refused', refusal_code: 'REQUEST_VOID' },
    ]);
    // Whoever lost the answer is told the same, not that it was done.
    expect(await settleOperation(approver, input.operationId)).toEqual(told);
  });

  it('R-066b R-083 linked while the verdict is on its way: the verdict is taken back whole', async () => {
    const { id, settlement } = await inDoubt();
    const resultId = `PAY-${randomUUID()}`;
    await requestEffectSettlement(operator, settlement(resultId));
    const { input } = await verdictOn(id);
    const other = await desk.ledger.started(randomUUID(), { target });
    const rival = await db.pool('owner').connect();
    try {
      await rival.query('BEGIN');
      await rival.query('SELECT ledger.complete_as($1, $2, $3)', [
        NORTH,
        other.id,
        JSON.stringify({ fencingToken: other.token, resultId }),
      ]);
      const deciding = decideRequest(approver, input);
      await expect
        .poll(async () => {
          const { rows } = await db
            .pool('owner')
            .query(
              `SELECT 1 FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted AND a.datname = current_database()`,
            );
          return rows.length;
        })
        .toBeGreaterThan(0);
      await rival.query('COMMIT');
      expect(await deciding).toMatchObject({ code: 'REQUEST_VOID', voidReason: 'RESULT_LINKED_ELSEWHERE' });
    } finally {
      rival.release(true);
    }
    const { rows } = await db
      .pool('owner')
      .query('SELECT 1 FROM review.approval_decisions WHERE request_id = $1', [input.requestId]);
    expect(rows).toEqual([]);
    expect(await verdictOn(id)).toMatchObject({ state: 'VOID' });
  });

  it('R-083 a rejection still goes through, and so does a settlement without a result', async () => {
    const { id, settlement } = await inDoubt();
    const resultId = `PAY-${randomUUID()}`;
    await requestEffectSettlement(operator, settlement(resultId));
    await completed(resultId);
    const { input } = await verdictOn(id);
    expect(await decideRequest(approver, { ...input, verdict: 'REJECT' })).toMatchObject({ outcome: 'done' });

    const second = await inDoubt();
    await requestEffectSettlement(operator, second.settlement(null));
    const { input: verdict } = await verdictOn(second.id);
    expect(await decideRequest(approver, verdict)).toMatchObject({ outcome: 'done' });
    expect(await desk.ledger.row(second.id)).toMatchObject({ state: 'FAILED_FINAL' });
  });
});

describe('what the database raises', () => {
  it('R-083 the functions of the desk raise nothing that a person would meet as a fault', async () => {
    const { rows } = await db.pool('owner').query<{ name: string; source: string }>(
      `SELECT p.proname AS name, p.prosrc AS source FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
       WHERE n.nspname = 'review' AND p.prorettype <> 'trigger'::regtype AND p.prosrc LIKE '%RAISE EXCEPTION%'
         -- The signer's own are called by no page.
         AND NOT has_function_privilege('onceover_signer', p.oid, 'EXECUTE') ORDER BY 1`,
    );
    const raised = rows.flatMap(({ name, source }) =>
      [...source.matchAll(/RAISE EXCEPTION[^;]*ERRCODE = '(\w+)'/g)].map(([, code]) => `${name} ${code}`),
    );
    expect([...new Set(raised)].filter((each) => !each.endsWith('OA003'))).toEqual([
      // No form sends such an input; the last two are about an event without its actor.
      'add_lookup OO005',
      'append_audit OA001',
      // Caught in the same function: the verdict is taken back and the request is void.
      'decide_request OO007',
      // The owner's command alone.
      'erase_texts OA005',
      // One subject at a time: whoever comes second is another person's, and is told so by the sign-in.
      // A row that names what is not of its incident: no page sends one.
      'keep_judged_report OA002',
      'link_identity OA002',
      // Caught in the same function: the row is refused.
      'link_report_row OO008',
      'record_act 42501',
      'record_lookup OO005',
      // The owner's command as well.
      'retire_audit OA006',
    ]);
  });

  it.each(['OO001', 'OO003', 'OO004', 'OO005', 'OO006'])(
    'R-083 R-086a a guard of the ledger (%s) refuses by name, audited, and nothing has happened',
    async (code) => {
      const { id } = await desk.ledger.started(randomUUID(), { leaseSeconds: 1 });
      await db.advanceClock('2 seconds');
      await desk.ledger.sweep();
      const { form } = await desk.seen(operator, await desk.exceptionOf(id));
      const owner = db.pool('owner');
      await owner.query(`CREATE FUNCTION public.no() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'not now' USING ERRCODE = '${code}'; END $$;
        CREATE TRIGGER executions_9_no BEFORE UPDATE ON ledger.executions FOR EACH ROW EXECUTE FUNCTION public.no()`);
      try {
        const before = await desk.ledger.row(id);
        expect(await extend(operator, { ...form, seconds: 600 })).toEqual({
          outcome: 'refused',
          code: 'LEDGER_REFUSED',
        });
        expect(await desk.ledger.row(id)).toEqual(before);
        expect(await desk.audit({ operationId: form.operationId })).toMatchObject([
          { event: 'decision.extended', outcome: 'refused', refusal_code: 'LEDGER_REFUSED' },
        ]);
      } finally {
        await owner.query('DROP TRIGGER executions_9_no ON ledger.executions; DROP FUNCTION public.no()');
      }
    },
  );
});
