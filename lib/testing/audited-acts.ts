// Acts beside the commands about exceptions that leave an audit event: people, tokens, sign-in, exports, jobs, programs.
import { randomUUID } from 'node:crypto';
import { changePassword } from '@/lib/access/change-password';
import { recordDenied } from '@/lib/access/record-denied';
import { signIn } from '@/lib/access/sign-in';
import { createSignInLink, signInByLink } from '@/lib/access/sign-in-link';
import { signOut } from '@/lib/access/sign-out';
import { eraseTexts } from '@/lib/audit/erase-texts';
import { keepAudit } from '@/lib/audit/retire/keep-audit';
import { issueToken } from '@/lib/commands/issue-token';
import { transaction } from '@/lib/db/transaction';
import { ANY_AUDIT_EVENT } from '@/lib/review/audit-filter';
import { decideRequest } from '@/lib/review/decide-request';
import type { LookingContext } from '@/lib/review/desk-context';
import { exportAudit } from '@/lib/review/export-audit';
import { failFinally } from '@/lib/review/fail-finally';
import { linkResult } from '@/lib/review/link-result';
import { lookUpNow } from '@/lib/review/look-up-now';
import { setAssignmentRule } from '@/lib/review/assignment/set-rule';
import { changeRights } from '@/lib/review/people/change-rights';
import { recordSearch } from '@/lib/review/record-search';
import { administratorsActs } from './administrators-acts';
import { cameAbout, ORIGIN, type Prepare } from './audited-act';
import { bulkActs } from './audited-acts-of-bulk';
import { incidentActs } from './audited-acts-of-incidents';
import { connectorActs, operationPolicyActs, providerActs } from './audited-acts-of-rights';
import type { DeskFixture } from './desk-fixture';
import { doubtFixture } from './doubt-fixture';
import { makePerson, PASSWORD, sessionOf, testContext } from './people';
import { rightsForm } from './people-forms';
import { SWEEP } from './sweep-desk';

const anyone = (desk: DeskFixture) =>
  makePerson(desk.db, { email: `a-${randomUUID()}@demo.local`, tenantIds: ['tenant-north'] });

function peopleActs(
  desk: DeskFixture,
  admin: LookingContext,
  second: LookingContext,
): Record<string, Prepare> {
  const { db } = desk;
  const commands = Object.entries(administratorsActs(desk, admin, second)).map(([name, prepare]) => [
    name,
    async () => {
      const { command, input, by } = await prepare();
      return () => cameAbout(command(by, input));
    },
  ]);
  return {
    ...(Object.fromEntries(commands) as Record<string, Prepare>),
    'people, refused': async () => {
      const input = await rightsForm(db, admin.actor.personId, { roles: ['ADMIN', 'APPROVER'] });
      return async () => {
        const answer = await changeRights(admin, input);
        if (answer.outcome !== 'refused') throw new Error(JSON.stringify(answer));
      };
    },
    'issue-token': async () => {
      const { rows } = await db
        .pool('owner')
        .query<{ principal_id: string }>(
          `select principal_id from ledger.principals where tenant_id = 'tenant-north' limit 1`,
        );
      return () =>
        transaction(db.pool('owner'), testContext, (tx) =>
          issueToken(tx, rows[0]!.principal_id, 'tenant-north'),
        );
    },
  };
}

function accessActs(desk: DeskFixture, admin: LookingContext): Record<string, Prepare> {
  const { db } = desk;
  const pool = db.pool('app');
  const account = async () => {
    const email = `s-${randomUUID()}@demo.local`;
    return { email, personId: await makePerson(db, { email, tenantIds: ['tenant-north'] }) };
  };
  const linkOf = (personId: string) =>
    transaction(db.pool('owner'), testContext, (tx) => createSignInLink(tx, personId, 'system:test'));
  return {
    'create-person': async () => () => anyone(desk),
    'sign-in': async () => {
      const { email } = await account();
      return () => signIn(pool, { email, password: PASSWORD }, ORIGIN);
    },
    'sign-in, refused': async () => {
      const { email } = await account();
      return () => signIn(pool, { email, password: 'another' }, ORIGIN);
    },
    'sign-in-link': async () => {
      const token = await linkOf((await account()).personId);
      return () => signInByLink(pool, token, ORIGIN);
    },
    'sign-out': async () => {
      const answer = await signInByLink(pool, await linkOf((await account()).personId), ORIGIN);
      if (answer.kind !== 'signed-in') throw new Error(answer.kind);
      return () => signOut(pool, answer.secret, { requestId: 'r', sourceAddress: null });
    },
    'change-password': async () => {
      const ctx = await desk.desk();
      const sessionId = await sessionOf(db, ctx.actor.personId);
      const acting = { actor: { ...ctx.actor, sessionId }, context: ctx.context };
      return async () => {
        const answer = await changePassword(acting, '', `${randomUUID()} 열쇠`, pool);
        if (answer.kind !== 'changed') throw new Error(answer.code);
      };
    },
    'record-denied': async () => () =>
      recordDenied(pool, admin.context, { act: 'test', reason: 'ROLE_MISSING' }),
    'record-search': async () => {
      const text = randomUUID();
      return () => recordSearch(admin, 'queue', text);
    },
    'export-audit': async () => {
      const manager = await desk.desk({ roles: ['MANAGER'] });
      return async () => {
        const answer = await exportAudit(manager, ANY_AUDIT_EVENT, 'csv');
        if (answer.kind !== 'export') throw new Error(answer.kind);
        await answer.stream.cancel();
      };
    },
  };
}

function workActs(
  desk: DeskFixture,
  { operator, approver, admin }: Record<'operator' | 'approver' | 'admin', LookingContext>,
  asked: Record<string, Prepare>,
): Record<string, Prepare> {
  const { db, ledger } = desk;
  const doubts = doubtFixture(desk, operator);
  const worker = db.pool('worker');
  const system = (statement: string, values: unknown[] = []) =>
    transaction(worker, SWEEP, (tx) => tx.query(statement, values));
  const requested = async (verdict: 'APPROVE' | null) => {
    const request = await doubts.requested();
    if (verdict !== null) await cameAbout(decideRequest(approver, request.verdict()));
    return request;
  };
  /** What waits in the table for a second administrator has waited too long when the sweep comes. */
  const lapsed = async (table: string) => {
    await db.pool('superuser').query(
      `alter table ${table} disable trigger all;
       update ${table} set expires_at = ledger.clock() where state = 'PENDING';
       alter table ${table} enable trigger all`,
    );
    return () => system('select review.sweep()');
  };
  return {
    'look-up-now': async () => {
      const { exceptionId } = await desk.unknownPayment();
      return () => cameAbout(lookUpNow(operator, { exceptionId }));
    },
    'look-up-now, refused': async () => {
      const { exceptionId } = await desk.unknownPayment();
      const manager = await desk.desk({ roles: ['MANAGER'] });
      return () => lookUpNow(manager, { exceptionId });
    },
    'sweep of the ledger': async () => {
      await ledger.started(randomUUID(), { leaseSeconds: 1 });
      await db.advanceClock('2 seconds');
      return () => system('select ledger.sweep()');
    },
    'sweep of the desk': async () => {
      const { requestId } = await requested(null);
      await db.pool('superuser').query(
        `alter table review.approval_requests disable trigger all;
         update review.approval_requests set decide_by = ledger.clock() - interval '1 second' where request_id = '${requestId}';
         alter table review.approval_requests enable trigger all`,
      );
      return () => system('select review.sweep()');
    },
    'sweep of rules of assignment': async () => {
      await desk.unknownPayment();
      const tenant = { tenantId: 'tenant-north', operation: null, authority: null };
      const rule = {
        ...tenant,
        mode: 'FIXED',
        assigneeId: operator.actor.personId,
        operationId: randomUUID(),
      };
      await cameAbout(setAssignmentRule(admin, rule));
      return () => system('select review.apply_assignment_rules()');
    },
    'sweep of proposed rights': async () => {
      await (
        await asked['change-rights, to be confirmed']!()
      )();
      return lapsed('review.right_grants');
    },
    'sweep of proposed policies': async () => {
      await (
        await asked['propose-policy']!()
      )();
      return lapsed('review.policy_proposals');
    },
    'sweep of proposed connectors': async () => {
      await (
        await asked['propose-connector']!()
      )();
      return lapsed('review.connector_proposals');
    },
    'execute-reissue': async () => {
      const { requestId, exceptionId } = await requested('APPROVE');
      const lookupId = await doubts.look(exceptionId);
      return () => system('select review.execute_reissue($1::uuid, $2::uuid)', [requestId, lookupId]);
    },
    'a decision, refused': async () => {
      const { form } = await doubts.unpaid();
      const manager = await desk.desk({ roles: ['MANAGER'] });
      return () => failFinally(manager, form);
    },
    'audit-refusal': async () => () => lookUpNow(operator, { exceptionId: 'no id' }),
    'erase-texts': async () => {
      const { id, form } = await doubts.paid();
      await cameAbout(linkResult(operator, form));
      return () => eraseTexts(db.pool('owner'), testContext, { execution: id }, 'DSR-17');
    },
    'keep-audit': async () => {
      const days = 400 + Math.ceil(Math.random() * 1_000);
      return () => keepAudit(db.pool('owner'), testContext, days);
    },
    // One that is carried out: lib/audit/retire/retire-audit.db.test.ts.
    'retire-audit, refused': async () => () =>
      transaction(db.pool('owner'), testContext, (tx) =>
        tx.query(`select review.retire_audit(1, 'a.jsonl', '', 0)`),
      ),
    'change of the signer’s keys': async () => {
      const id = randomUUID();
      return () =>
        db.pool('signer').query(`select review.record_key_change('audit.key_rotated', $1, '{}')`, [id]);
    },
    'decide-request, unknown': async () => {
      const { verdict } = await requested(null);
      const input = verdict({ requestId: randomUUID() });
      return () => decideRequest(approver, input);
    },
  };
}

export function auditedActs(
  desk: DeskFixture,
  people: Record<'operator' | 'approver' | 'admin' | 'second', LookingContext>,
): Record<string, Prepare> {
  const { operator, approver, admin, second } = people;
  const ofPeople = peopleActs(desk, admin, second);
  const ofConnectors = connectorActs(desk, admin, second);
  return {
    ...ofPeople,
    ...accessActs(desk, admin),
    ...workActs(desk, people, { ...ofPeople, ...ofConnectors }),
    ...ofConnectors,
    ...operationPolicyActs(desk, admin, second),
    ...providerActs(desk, admin),
    ...incidentActs(desk, operator, approver),
    ...bulkActs(desk, operator),
  };
}
