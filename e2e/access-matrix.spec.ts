import { ACCESS_POLICY, type Caller } from '@/lib/access/access-policy';
import { makeCallers, makeScene, type Scene, type SceneCaller } from './access-scene';
import { formOf } from './action-forms';
import { builtInventory, type BuiltAction } from './build-inventory';
import { expect } from './desk';
import { inLanes } from './in-lanes';
import { callAction, fromOurPages, type ActionAnswer } from './http-person';
import { type LedgerTruth } from './ledger-truth';
import { testWithOwnProduct } from './own-product';
import { type Place } from './product';
import { rawRequest, type RawAnswer } from './raw-request';

const test = testWithOwnProduct('access-matrix');

const built = builtInventory();
const POLICY_FILE = 'lib/access/access-policy.ts';
/** What an action answers to somebody who may not. */
const TURNED_AWAY = [
  ...['SIGNED_OUT', 'ROLE_MISSING', 'NOT_YOUR_REQUEST', 'NOT_FOUND', 'TENANT_NOT_GRANTED'],
  'BREAK_GLASS_AUTHORITY_MISSING',
];

/** In the router's data a redirect is a row of the answer. */
const LED_ON = /NEXT_REDIRECT;\w+;([^;"]+);/;
const AS_PAGE_AND_DATA: Record<string, string>[] = [{}, { rsc: '1' }];

let scene: Scene;
let callers: SceneCaller[];

test.beforeAll(async ({ product, truth }) => {
  test.setTimeout(120_000);
  scene = await makeScene(product, truth);
  callers = await makeCallers(product, truth);
});

test('AZ-01 the policy names what the build serves, and nothing else', () => {
  const lines = [
    ...built.pages.map((address) => ['pages', `'${address}': …,`, address in ACCESS_POLICY.pages] as const),
    ...built.routes.map(
      (address) => ['routes', `'${address}': { GET: … },`, address in ACCESS_POLICY.routes] as const,
    ),
    ...built.actions.map(
      ({ file, name }) =>
        ['actions', `'${file}': { ${name}: … },`, policyOf({ file, name }) !== undefined] as const,
    ),
  ];
  const missing = lines.filter(([, , known]) => !known).map(([part, line]) => `${part}: add ${line}`);
  expect(missing, `${POLICY_FILE} has no line for what the build serves`).toEqual([]);

  const gone = [
    ...Object.keys(ACCESS_POLICY.pages).filter((address) => !built.pages.includes(address)),
    ...Object.keys(ACCESS_POLICY.routes).filter((address) => !built.routes.includes(address)),
    ...Object.entries(ACCESS_POLICY.actions).flatMap(([file, names]) =>
      Object.keys(names)
        .filter((name) => !built.actions.some((action) => action.file === file && action.name === name))
        .map((name) => `${file}: ${name}`),
    ),
  ];
  expect(gone, `${POLICY_FILE} has lines for what is no longer built: take them out`).toEqual([]);
});

test('AZ-01 each page opens to whom the policy names, and to nobody else', async ({ product }) => {
  const asked = built.pages.flatMap((address) =>
    callers.flatMap((caller) => AS_PAGE_AND_DATA.map((headers) => ({ address, caller, headers }))),
  );
  await inLanes(asked, async ({ address, caller, headers }) => {
    const path = pathOf(address);
    const answer = await open(product, path, { ...caller.headers, ...headers });
    const foreign = caller.elsewhere && path !== address;
    expect
      .soft(reached(answer), `${address} as ${caller.name} with ${JSON.stringify(headers)}: ${answer.status}`)
      .toBe(may(ACCESS_POLICY.pages[address], caller) && !foreign);
    expectNothingOfTheNorth(caller, answer.body, path);
  });
});

test('AZ-01 AZ-13 each route answers whom the policy names, by the methods that it names', async ({
  product,
}) => {
  for (const address of built.routes) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const caller of callers) {
        const path = pathOf(address, method);
        const answer = await rawRequest(product.address, {
          method,
          path,
          headers: { ...caller.headers, ...fromOurPages(product.address) },
        });
        const foreign = caller.elsewhere && /^\/(exceptions|queue\/(incidents|jobs))\//.test(address);
        const lets = may(ACCESS_POLICY.routes[address]?.[method], caller) && !foreign;
        expect.soft(answered(answer), `${method} ${address} as ${caller.name}: ${answer.status}`).toBe(lets);
        expectNothingOfTheNorth(caller, answer.body, path);
      }
    }
  }
});

test('AZ-01 each action acts for whom the policy names, and leaves a denial of everybody else', async ({
  product,
  truth,
}) => {
  test.setTimeout(300_000);
  for (const action of built.actions) {
    const before = await stateOf(truth);
    for (const caller of callers) await expectAsPolicySays(product, truth, action, caller);
    expect.soft(await stateOf(truth), `${action.name} changed something`).toEqual(before);
  }
});

test('AZ-02 an action sent again with a lower role’s cookie is refused, from whatever page', async ({
  product,
  truth,
}) => {
  test.setTimeout(300_000);
  const restricted = built.actions.filter((action) =>
    callers.some((caller) => !may(policyOf(action), caller)),
  );
  for (const action of restricted) {
    const highest = callers.find((caller) => caller.personId && may(policyOf(action), caller));
    const form = formOf(action.name, scene, highest ?? callers.at(4)!);
    const before = await stateOf(truth);
    if (highest) await send(product, action, highest, form);
    for (const caller of callers.filter((each) => each.personId && !may(policyOf(action), each))) {
      for (const path of [pathOf(action.pages[0] ?? ''), '/queue', '/audit']) {
        const denials = await denialsOf(truth, caller);
        const answer = await send(product, action, caller, form, path);
        expect
          .soft(turnedAway(answer), `${action.name} from ${path} as ${caller.name}: ${show(answer)}`)
          .toBe(true);
        // Asked of a page that does not have it, the framework may know no such action: then nobody was asked.
        if (answer.value !== null)
          expect.soft(await denialsOf(truth, caller), `${action.name} from ${path}`).toBe(denials + 1);
      }
    }
    expect.soft(await stateOf(truth), `${action.name} changed something`).toEqual(before);
  }
});

/** What everybody may who sees the exception. */
const ABOUT_AN_EXCEPTION = ['watchExceptionAction'];
const policyOf = ({ file, name }: Pick<BuiltAction, 'file' | 'name'>) => ACCESS_POLICY.actions[file]?.[name];

const may = (named: readonly Caller[] | undefined, caller: SceneCaller) =>
  named?.some((each) => caller.as.includes(each)) ?? false;

const ofTheNorth = () => `tenant=tenant-north&operation=${encodeURIComponent(scene.operation)}`;

/** Addresses with what they are about filled in. */
function pathOf(address: string, method = 'GET'): string {
  const abouts: Record<string, string> = {
    '/admin/connectors/[id]': `/admin/connectors/${scene.connectorId}`,
    '/admin/connectors/[id]/change': `/admin/connectors/${scene.connectorId}/change`,
    '/admin/people/[id]': `/admin/people/${scene.personId}`,
    '/admin/policies/change': `/admin/policies/change?${ofTheNorth()}`,
    '/admin/policies/operation': `/admin/policies/operation?${ofTheNorth()}`,
    '/approvals/[id]': `/approvals/${scene.requestId}`,
    '/audit/[number]': `/audit/${scene.auditNumber}`,
    '/exceptions/[id]': `/exceptions/${scene.exceptions['UNKNOWN_RESULT']}`,
    '/exceptions/[id]/presence': `/exceptions/${scene.exceptions['UNKNOWN_RESULT']}/presence`,
    '/executions/[id]': `/executions/${scene.executionId}`,
    '/api/auth/[...nextauth]': method === 'POST' ? '/api/auth/session' : '/api/auth/csrf',
    '/api/v1/[[...path]]':
      method === 'POST' ? '/api/v1/intakes/keyless' : '/api/v1/executions?state=RECEIVED',
    '/audit/export': '/audit/export?format=jsonl',
    '/queue/incidents/[id]': `/queue/incidents/${scene.incidentId}`,
    '/queue/incidents/[id]/reports': `/queue/incidents/${scene.incidentId}/reports`,
    '/queue/incidents/[id]/reports/[report]': `/queue/incidents/${scene.incidentId}/reports/${scene.reportId}`,
    '/queue/incidents/[id]/reports/[report]/rows': `/queue/incidents/${scene.incidentId}/reports/${scene.reportId}/rows`,
    '/queue/jobs/[id]': `/queue/jobs/${scene.jobId}`,
    '/queue/jobs/[id]/rows': `/queue/jobs/${scene.jobId}/rows`,
  };
  const path = abouts[address] ?? address;
  if (path.includes('['))
    throw new Error(`add to pathOf in e2e/access-matrix.spec.ts: \`'${address}': \`…\${scene.…}\`,\``);
  return path;
}

/** A page as a browser gets to it: redirects of ours, from the front to the queue, are part of the way. */
async function open({ address }: Place, path: string, headers: Record<string, string>): Promise<RawAnswer> {
  let answer = await rawRequest(address, { path, headers });
  for (let hops = 0; hops < 3; hops += 1) {
    const to = answer.headers.location ?? LED_ON.exec(answer.body)?.[1];
    const next = to === undefined ? null : new URL(to, address);
    if (next === null || (next.pathname === '/login' && path !== '/login')) break;
    answer = await rawRequest(address, { path: next.pathname + next.search, headers });
  }
  return answer;
}

/** A page that is there: not the login, not "no such page", however late the framework found out. */
function reached({ status, headers, body }: RawAnswer): boolean {
  if (status >= 300 && status < 400) return !/\/login(\?|$)/.test(String(headers.location));
  return status === 200 && !/NEXT_HTTP_ERROR_FALLBACK|NEXT_REDIRECT;\w+;\/login/.test(body);
}

/** Past the door: a form without content is the caller's mistake there. */
const answered = ({ status, headers }: RawAnswer) =>
  ![401, 403, 404, 405].includes(status) && !/\/login(\?|$)/.test(String(headers.location));

/** What is asked for by its id is not told by naming that id again. */
function expectNothingOfTheNorth(caller: SceneCaller, body: string, path: string): void {
  if ((caller.personId !== null && !caller.elsewhere) || caller.name === 'producer A') return;
  const leaked = scene.canaries.filter((canary) => body.includes(canary) && !path.includes(canary));
  expect.soft(leaked, `${path} as ${caller.name}`).toEqual([]);
}

async function send(
  place: Place,
  action: BuiltAction,
  caller: SceneCaller,
  form: ReturnType<typeof formOf>,
  path = pathOf(action.pages[0] ?? ''),
): Promise<ActionAnswer> {
  return callAction(place.address, caller, { id: action.id, path, form });
}

/** Of many at once the row's own answer; the forms have one row. */
function codeOf(value: Readonly<Record<string, unknown>>): unknown {
  const rows = value['rows'] as { answer: { code?: string } }[] | undefined;
  return value['code'] ?? rows?.[0]?.answer.code;
}
const turnedAway = ({ value }: ActionAnswer) => value === null || TURNED_AWAY.includes(String(codeOf(value)));
const show = (answer: ActionAnswer) => JSON.stringify(answer);

async function expectAsPolicySays(
  place: Place,
  truth: LedgerTruth,
  action: BuiltAction,
  caller: SceneCaller,
): Promise<void> {
  const named = policyOf(action);
  // Somebody of another tenant may what everybody may about themselves.
  const aboutOneself = named?.includes('MANAGER') && !ABOUT_AN_EXCEPTION.includes(action.name);
  const lets = may(named, caller) && !(caller.elsewhere && !aboutOneself);
  const denials = await denialsOf(truth, caller);
  const answer = await send(place, action, caller, formOf(action.name, scene, caller));
  expect.soft(turnedAway(answer), `${action.name} as ${caller.name}: ${show(answer)}`).toBe(!lets);
  if (!lets && caller.personId !== null)
    expect
      .soft(await denialsOf(truth, caller), `denials of ${caller.name} for ${action.name}`)
      .toBe(denials + 1);
}

async function denialsOf(truth: LedgerTruth, { personId }: SceneCaller): Promise<number> {
  const { n } = await truth.one<{ n: number }>(
    `SELECT count(*)::int AS n FROM review.audit_events WHERE actor_id = $1 AND outcome = 'refused'`,
    [personId],
  );
  return n;
}

/** Everything that an act could change, as one number per table; the worker's own upkeep is not among it. */
async function stateOf(truth: LedgerTruth): Promise<unknown> {
  const tables = [
    ...['ledger.executions', 'ledger.principals', 'ledger.operation_pauses', 'review.exceptions'],
    ...['review.decisions', 'review.approval_requests', 'review.approval_decisions', 'review.people'],
    ...['review.right_grants', 'review.sign_in_links', 'review.exception_events', 'review.lookups'],
    ...['review.approval_policies', 'review.policy_proposals', 'review.break_glass_uses'],
    ...['review.connectors', 'review.connector_proposals', 'review.connector_versions'],
    ...['ledger.operation_policies', 'review.incidents', 'review.provider_reports', 'review.report_rows'],
    ...['review.report_checks', 'review.bulk_jobs', 'review.bulk_job_rows'],
  ];
  const states = tables.map(
    (table) =>
      `SELECT '${table}' AS name, md5(coalesce(string_agg(t::text, ',' ORDER BY t::text), '')) AS hash FROM ${table} t`,
  );
  return truth.rows(
    `${states.join(' UNION ALL ')}
     UNION ALL SELECT 'tokens', count(*)::text || coalesce(max(revoked_at)::text, '') FROM ledger.producer_tokens
     UNION ALL SELECT 'sessions', count(*)::text || count(revoked_at)::text FROM review.sessions`,
  );
}
