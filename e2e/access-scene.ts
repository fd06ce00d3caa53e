import { randomUUID } from 'node:crypto';
import { demoEmail } from '@/lib/commands/demo-accounts';
import { type Caller } from '@/lib/access/access-policy';
import { ROLES } from '@/lib/domain/actor';
import { builtInventory } from './build-inventory';
import { callAction, signInByHttp, type HttpCaller } from './http-person';
import { type LedgerTruth } from './ledger-truth';
import { produce } from './produce';
import { demoTokens } from './producer';
import { type Place } from './product';

/** Who asks: what the policy calls them, and whether their session still counts. */
export interface SceneCaller extends HttpCaller {
  /** Null: nobody at all, with whatever cookie. */
  personId: string | null;
  as: readonly Caller[];
  /** Not of the tenant that everything of the scene belongs to. */
  elsewhere: boolean;
}

/** One of everything that pages and actions are about, all of it the north's. */
export interface Scene {
  executionId: string;
  /** An open exception of each kind. */
  exceptions: Record<string, string>;
  requestId: string;
  auditNumber: string;
  operation: string;
  /** A change of an approval policy that was withdrawn. */
  proposalId: string;
  /** A connector of the north. */
  connectorId: string;
  /** A change of it that was withdrawn. */
  connectorProposalId: string;
  /** A token that has ended. */
  tokenId: string;
  /** An outage that is over, and a report on it that was withdrawn. */
  incidentId: string;
  reportId: string;
  /** A bulk job that was ended. */
  jobId: string;
  /** Somebody whom an administrator manages. */
  personId: string;
  /** Texts that nobody outside of the north may receive. */
  canaries: string[];
}

/** Statements that pass every trigger: for states that nobody could bring about in the time of a test. */
const byForce = (sql: string) =>
  `DO $do$ BEGIN SET LOCAL session_replication_role = replica; ${sql} END $do$`;

/** Where triggers fire even for replicas; the product is the test's own and ends with it. */
const withoutTriggers = (truth: LedgerTruth, table: string, sql: string) =>
  truth.rows(`ALTER TABLE ${table} DISABLE TRIGGER USER; ${sql}; ALTER TABLE ${table} ENABLE TRIGGER USER`);

const uuid = (text: string) => {
  if (!/^[0-9a-f-]{36}$/.test(text)) throw new Error(`no id: ${text}`);
  return text;
};

export async function makeScene(place: Place, truth: LedgerTruth): Promise<Scene> {
  const key = `canary-${randomUUID()}`;
  const claim = {
    operation: `canary-${key.slice(-12)}`,
    requestId: key,
    payload: { text: key },
    leaseSeconds: 600,
  };
  const { executionId, fencingToken } = await produce(place, 'executions', claim, key);
  await produce(place, `executions/${executionId}/effect-started`, { fencingToken });
  await produce(place, `executions/${executionId}/unknown`, {
    fencingToken,
    code: 'TIMED_OUT',
    message: key,
  });
  const { id: base } = await truth.one<{ id: string }>(
    `SELECT exception_id::text AS id FROM review.exceptions WHERE execution_id = $1 AND kind = 'UNKNOWN_RESULT'`,
    [executionId],
  );
  await truth.rows(
    byForce(`INSERT INTO review.exceptions SELECT (jsonb_populate_record(x, jsonb_build_object('exception_id', gen_random_uuid(), 'kind', k))).*
      FROM review.exceptions x, (SELECT DISTINCT kind k FROM review.decision_rules WHERE kind <> 'UNKNOWN_RESULT') kinds
      WHERE x.exception_id = '${uuid(base)}';`),
  );
  const exceptions = await truth.rows<{ kind: string; id: string; version: string }>(
    `SELECT kind, exception_id::text AS id, version::text FROM review.exceptions WHERE execution_id = $1`,
    [executionId],
  );
  const people = await truth.one<{ id: string }>(
    `SELECT person_id::text AS id FROM review.people WHERE email_canonical = $1`,
    [demoEmail('operator2')],
  );
  const token = await truth.one<{ id: string }>(
    `INSERT INTO ledger.producer_tokens (principal_id, prefix, digest, expires_at)
     VALUES ('north-automation', 'oo_live_gone', sha256(convert_to($1, 'utf8')), now() - interval '1 day') RETURNING token_id::text AS id`,
    [randomUUID()],
  );
  const byKind = Object.fromEntries(exceptions.map(({ kind, id }) => [kind, id]));
  await requestSettlement(place, truth, executionId, byKind['RESULT_MISMATCH'] ?? '');
  const request = await truth.one<{ id: string; number: string }>(
    `SELECT r.request_id::text AS id, e.number::text FROM review.approval_requests r
       JOIN review.audit_events e ON e.operation_id = r.operation_id WHERE r.execution_id = $1`,
    [executionId],
  );
  await withoutTriggers(
    truth,
    'review.break_glass_uses',
    `INSERT INTO review.break_glass_uses (request_id, operation_id, tenant_id, used_by, roles, reason, used_at, expires_at,
       reviewed_by, reviewed_at, finding, review_rationale)
     SELECT '${uuid(request.id)}', gen_random_uuid(), 'tenant-north', '${uuid(people.id)}', '{OPERATOR}', 'Nobody could be reached then.',
       now(), now(), person_id, now(), 'JUSTIFIED', 'It was looked up.' FROM review.people WHERE email = '${demoEmail('approver2')}'`,
  );
  const proposalId = randomUUID();
  await withoutTriggers(
    truth,
    'review.policy_proposals',
    `INSERT INTO review.policy_proposals (proposal_id, kind, tenant_id, operation, base_version, content, reason, requested_by,
       requested_at, expires_at, state)
     VALUES ('${proposalId}', 'APPROVAL', 'tenant-north', '${claim.operation}', 0, '{"removes": true}', 'No longer needed here.',
       '${uuid(people.id)}', now(), now(), 'WITHDRAWN')`,
  );
  const connectorId = `${key}-crm`;
  const connectorProposalId = await makeConnector(truth, connectorId, uuid(people.id));
  return {
    operation: claim.operation,
    proposalId,
    connectorId,
    connectorProposalId,
    executionId,
    exceptions: byKind,
    requestId: request.id,
    auditNumber: request.number,
    ...(await makeIncident(truth, key, base, uuid(people.id))),
    jobId: await makeJob(truth, key, base, uuid(people.id)),
    tokenId: token.id,
    personId: people.id,
    canaries: [key, executionId, request.id, ...exceptions.map(({ id }) => id), claim.operation],
  };
}

/** What a connector of the scene asks; as a form may send it again. */
export const SCENE_RECIPE = {
  ...{ system: 'crm', baseUrl: 'https://crm.example.com/api', path: 'records/{key}', fields: { id: '/id' } },
  ...{
    content: [{ expected: '{key}', pointer: '/reference' }],
    notFound: { status404: true, emptyList: false },
  },
  ...{ visibilityDelaySeconds: 0, queryableSeconds: null },
};

/** A connector of the north with a change that was withdrawn, whose id is answered. */
async function makeConnector(truth: LedgerTruth, connectorId: string, personId: string): Promise<string> {
  const recipe = JSON.stringify(SCENE_RECIPE);
  await withoutTriggers(
    truth,
    'review.connectors',
    `INSERT INTO review.connectors (connector_id, tenant_id, recipe) VALUES ('${connectorId}', 'tenant-north', '${recipe}')`,
  );
  const proposalId = randomUUID();
  await withoutTriggers(
    truth,
    'review.connector_proposals',
    `INSERT INTO review.connector_proposals (proposal_id, connector_id, tenant_id, base_version, retires, recipe, reason, requested_by,
       requested_at, expires_at, state)
     VALUES ('${proposalId}', '${connectorId}', 'tenant-north', 1, true, '${recipe}', 'No longer needed here.', '${personId}', now(), now(),
       'WITHDRAWN')`,
  );
  return proposalId;
}

/** An outage of the north with a report; the canary stands in its system, its file's name and its row. */
async function makeIncident(truth: LedgerTruth, key: string, exceptionId: string, personId: string) {
  const [incidentId, reportId] = [randomUUID(), randomUUID()];
  await truth.rows(
    byForce(`INSERT INTO review.incidents (incident_id, tenant_id, system, state, since, opened_at, closed_at)
       VALUES ('${incidentId}', 'tenant-north', '${key}', 'CLOSED', now(), now(), now());
     INSERT INTO review.incident_members VALUES ('${uuid(exceptionId)}', '${incidentId}', now());
     INSERT INTO review.provider_reports (report_id, incident_id, tenant_id, operation, file_name, sha256, row_count, as_of, reading, state,
         judged_by, judged_at, expires_at)
       VALUES ('${reportId}', '${incidentId}', 'tenant-north', 'canary', '${key}.csv', repeat('0', 64), 1, now(), '{}', 'WITHDRAWN',
         '${personId}', now(), now());
     INSERT INTO review.report_rows (report_id, row_number, verdict, match_value) VALUES ('${reportId}', 2, 'PENDING', '${key}');`),
  );
  return { incidentId, reportId };
}

/** A bulk job of the north that was ended; the canary stands in its filter. */
async function makeJob(truth: LedgerTruth, key: string, exceptionId: string, personId: string) {
  const jobId = randomUUID();
  await withoutTriggers(
    truth,
    'review.bulk_jobs',
    `INSERT INTO review.bulk_jobs (job_id, tenant_id, act, params, filter, matched, row_count, pending, state, started_by, operation_id,
       prepared_at, ended_at)
     VALUES ('${jobId}', 'tenant-north', 'look-up', '{}', '?operation=${key}', 1, 1, 1, 'ABORTED', '${personId}', gen_random_uuid(), now(),
       now())`,
  );
  await truth.rows(
    `INSERT INTO review.bulk_job_rows (job_id, row_number, exception_id, exception_version)
     VALUES ('${jobId}', 1, '${uuid(exceptionId)}', 1)`,
  );
  return jobId;
}

/** A request of somebody who is none of the callers, made by the action itself. */
async function requestSettlement(place: Place, truth: LedgerTruth, executionId: string, exceptionId: string) {
  const action = builtInventory().actions.find(({ name }) => name === 'requestEffectSettlementAction');
  const seen = await truth.one<{ exception: string; execution: string }>(
    `SELECT x.version::text AS exception, e.version::text AS execution FROM review.exceptions x
       JOIN ledger.executions e USING (execution_id) WHERE x.exception_id = $1`,
    [exceptionId],
  );
  const form = {
    ...{ exceptionId, exceptionVersion: seen.exception, executionVersion: seen.execution },
    ...{ operationId: randomUUID(), rationale: 'Looked at both systems, order by order.' },
    ...{ outcome: 'NOT_OURS', resultId: null, resultUrl: null, businessImpact: 'none at all' },
    ...{ otherFate: 'KEPT', compensationId: null },
  };
  const answer = await callAction(place.address, await signInByHttp(place.address, demoEmail('operator2')), {
    id: action?.id ?? '',
    path: `/exceptions/${exceptionId}`,
    form: { args: [form] },
  });
  if (answer.value?.['outcome'] !== 'requested')
    throw new Error(`no request about ${executionId}: ${JSON.stringify(answer)}`);
}

/** Everybody who can ask: nobody, the roles, both producers, another tenant's person, and sessions that are over. */
export async function makeCallers(place: Place, truth: LedgerTruth): Promise<SceneCaller[]> {
  const tokens = demoTokens(place);
  const nobody = (name: string, headers: Record<string, string>, as: Caller) => ({
    ...{ name, headers, as: [as], personId: null, elsewhere: false },
  });
  const person = async (name: string, as: readonly Caller[], elsewhere = false): Promise<SceneCaller> => {
    const { headers } = await signInByHttp(place.address, demoEmail(name));
    const { id } = await truth.one<{ id: string }>(
      `SELECT person_id::text AS id FROM review.people WHERE email_canonical = $1`,
      [demoEmail(name)],
    );
    return { name, headers, as, personId: id, elsewhere };
  };
  /** A person of every role whose session worked once and is no longer good. */
  const stale = async (name: string, ending: string): Promise<SceneCaller> => {
    await twin(truth, name, ['tenant-north']);
    const signedIn = await person(name, ['anonymous']);
    await truth.rows(byForce(ending.replace('$person', `'${uuid(signedIn.personId ?? '')}'`)));
    return { ...signedIn, personId: null };
  };
  await twin(truth, 'southern', ['tenant-south']);
  return [
    nobody('anonymous', {}, 'anonymous'),
    nobody('a made-up cookie', { cookie: `__Host-onceover-session=${randomUUID()}` }, 'anonymous'),
    nobody('producer A', { authorization: `Bearer ${tokens['north-automation']}` }, 'producer'),
    nobody('producer B', { authorization: `Bearer ${tokens['south-automation']}` }, 'producer'),
    await person('operator', ['OPERATOR']),
    await person('approver', ['APPROVER']),
    await person('manager', ['MANAGER']),
    await person('admin', ['ADMIN']),
    await person('southern', ROLES, true),
    await stale('disabled', 'UPDATE review.people SET disabled_at = now() WHERE person_id = $person;'),
    await stale('expired', 'UPDATE review.sessions SET expires_at = now() WHERE person_id = $person;'),
    await stale('revoked', 'UPDATE review.sessions SET revoked_at = now() WHERE person_id = $person;'),
  ];
}

/** A person with every role and the demo's password; made once, however often the worker starts anew. */
async function twin(truth: LedgerTruth, account: string, tenants: string[]): Promise<void> {
  const email = demoEmail(account);
  await truth.rows(
    byForce(`INSERT INTO review.people (email, email_canonical, display_name, password_hash, roles, authorities, tenant_ids)
      SELECT '${email}', '${email}', '${account}', password_hash, '{OPERATOR,APPROVER,MANAGER,ADMIN}', authorities, '{${tenants.join()}}'
      FROM review.people WHERE email_canonical = '${demoEmail('operator')}'
      ON CONFLICT (email_canonical) DO UPDATE SET disabled_at = NULL;`),
  );
}
