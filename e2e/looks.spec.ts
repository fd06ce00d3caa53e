import { type Page } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { demoEmail } from '@/lib/commands/demo-accounts';
import { askForCorrection } from './ask-second-person';
import { builtInventory } from './build-inventory';
import { expect, test } from './desk';
import { type LedgerTruth } from './ledger-truth';
import { causeOutage, incidentOf, judge, reportOf, RESULTS } from './outage-scene';
import { poll } from './poll';
import { type Account } from './people';
import { type Place } from './product';
import { openQueue } from './queue-page';
import { arrive, browserFor, faultsOf, LOOKS, nameOf, picture, type Look } from './sights';

// Every page of the build, judged by axe.
test.describe.configure({ mode: 'parallel', timeout: 600_000 });

/** Exceptions whose pages differ most from each other, by the demo scenario that causes them. */
const EXCEPTIONS = {
  'exception-unknown-found': ['mail-sent-answer-lost', 'UNKNOWN_RESULT'],
  'exception-unknown-pending': ['payment-pending', 'UNKNOWN_RESULT'],
  'exception-stuck': ['deletion-killed-after-commit', 'STUCK_PROCESSING'],
  'exception-conflict': ['amount-changed', 'CONTENT_CONFLICT'],
  'exception-mismatch': ['result-id-of-another', 'RESULT_MISMATCH'],
  'exception-expired': ['report-again-after-expiry', 'EXPIRED_KEY'],
  'exception-long-running': ['long-import', 'LONG_RUNNING'],
} as const;

async function pagesToSee(truth: LedgerTruth, request: string): Promise<Record<string, string>> {
  const exceptions = await Promise.all(
    Object.entries(EXCEPTIONS).map(async ([name, [scenario, kind]]) => {
      const { id } = await poll(
        `${kind} of ${scenario}`,
        async () => {
          const [found] = await truth.rows<{ id: string }>(
            `SELECT x.exception_id AS id FROM review.exceptions x JOIN ledger.executions e USING (execution_id)
             WHERE e.workflow_id LIKE $1 AND x.kind = $2 ORDER BY x.opened_at LIMIT 1`,
            [`${scenario}-%`, kind],
          );
          return found;
        },
        { within: 120_000 },
      );
      return [name, `/exceptions/${id}`] as const;
    }),
  );
  const one = await truth.one<{ keyless: string; execution: string; event: string }>(
    `SELECT (SELECT exception_id FROM review.exceptions WHERE kind = 'KEY_MISSING' AND tenant_id = 'tenant-north') AS keyless,
            (SELECT execution_id FROM ledger.executions WHERE workflow_id LIKE 'order-%' OR workflow_id LIKE 'amount-changed-%' LIMIT 1) AS execution,
            (SELECT max(number) FROM review.audit_events WHERE event LIKE 'reissue.%') AS event`,
  );
  return {
    queue: '/queue',
    ...Object.fromEntries(exceptions),
    'exception-key-missing': `/exceptions/${one.keyless}`,
    executions: '/executions',
    execution: `/executions/${one.execution}`,
    approvals: '/approvals',
    approval: request,
    audit: '/audit',
    'audit-event': `/audit/${one.event}`,
    sessions: '/account/sessions',
    inbox: '/account/inbox',
    notifications: '/account/notifications',
    help: '/help',
    split: '/queue/split',
    'split-open': `/queue/split?open=${exceptions[0]?.[1].split('/').at(-1)}`,
    password: '/login/password',
  };
}

/** What comes of an outage: its page, the provider's report judged, and a stored job that is only previewed. */
async function pagesOfOutage(
  operator: Page,
  truth: LedgerTruth,
  place: Place,
): Promise<Record<string, string>> {
  const system = `bank-${randomUUID().slice(0, 8)}`;
  const keys = await causeOutage(place, system);
  const incident = `/queue/incidents/${await incidentOf(truth, system)}`;
  await operator.goto(incident);
  await judge(operator, reportOf(keys, system), 'payments.csv');
  await operator.waitForURL(/\/reports\//);
  const report = new URL(operator.url()).pathname;
  await openQueue(operator, `?q=${system}`);
  await operator.getByRole('checkbox', { name: `Select all on this page (${RESULTS})` }).check();
  await operator.getByRole('button', { name: 'Assign to me' }).click();
  await operator.waitForURL(/\/queue\/jobs\//);
  return { incident, report, jobs: '/queue/jobs', job: new URL(operator.url()).pathname };
}

/** The pages that administrators alone have; the person is one whose name takes room. */
async function pagesOfAdministration(truth: LedgerTruth): Promise<Record<string, string>> {
  const { person } = await truth.one<{ person: string }>(
    `SELECT person_id AS person FROM review.people WHERE email = $1`,
    [demoEmail('approver2')],
  );
  return {
    people: '/admin/people',
    person: `/admin/people/${person}`,
    tokens: '/admin/tokens',
    policies: '/admin/policies',
    policy: '/admin/policies/operation?tenant=tenant-north&operation=create-payment',
    'policy-change': '/admin/policies/change?tenant=tenant-north&operation=create-payment',
    assignment: '/admin/assignment',
    connectors: '/admin/connectors',
    connector: '/admin/connectors/sandbox-payment',
    'connector-form': '/admin/connectors/sandbox-payment/change',
    'connector-new': '/admin/new-connector',
    'connector-shipped': '/admin/new-connector?from=shipped',
    'connector-settings': '/admin/new-connector?from=shipped&of=stripe-payment-intent',
    'connector-filled': '/admin/new-connector?from=shipped&of=stripe-payment-intent&account=acct_1',
  };
}

const [DESKTOP, PHONE] = ['en-light-desktop', 'ko-dark-phone'];
/** Pages that one of the two looks of `npm run verify` is enough for; all eight see them with E2E_FULL. */
const IN_ONE_LOOK: Readonly<Record<string, string | undefined>> = {
  ...{ split: DESKTOP, 'split-open': DESKTOP, 'policy-change': DESKTOP },
  ...{ incident: DESKTOP, report: DESKTOP, jobs: DESKTOP, job: DESKTOP },
  ...{ inbox: PHONE, notifications: PHONE, help: PHONE, password: PHONE },
  ...{ assignment: PHONE, link: PHONE, again: PHONE },
};
const sees = (look: Look, name: string) =>
  process.env['E2E_FULL'] !== undefined || (IN_ONE_LOOK[name] ?? nameOf(look)) === nameOf(look);

const OUTSIDE = { login: '/login', docs: '/docs', link: '/login/link', again: '/login/again' };

/** Pages of the build that were not looked at. The first address shows nothing: it leads on. */
function notSeen(addresses: readonly string[]): string[] {
  const paths = addresses.map((address) => new URL(address, 'http://desk.test').pathname);
  return builtInventory().pages.filter((page) => {
    const pattern = new RegExp(`^${page.replace(/\[[^\]]+\]/g, '[^/]+')}$`);
    return page !== '/' && !paths.some((path) => pattern.test(path));
  });
}

for (const look of LOOKS) {
  test(`R-097 every page reads well, is without barriers and fits: ${nameOf(look)}`, async ({
    as,
    truth,
    automations,
    browser,
    product,
  }) => {
    const operator = await as('operator');
    const request = await askForCorrection(operator, await automations.cause('amount-changed'));
    const found: Record<string, string[]> = {};
    const outside = await browser.newContext({ baseURL: product.address, ...browserFor(look) });
    const stranger = await outside.newPage();
    for (const [name, address] of Object.entries(OUTSIDE)) {
      if (!sees(look, name)) continue;
      await arrive(stranger, address, look);
      found[name] = await faultsOf(stranger);
      await picture(stranger, name, look);
    }
    await outside.close();

    const named: Record<string, string>[] = [OUTSIDE];
    // The outage comes last: until then the queue is the demo's own.
    const desks: [Account, () => Promise<Record<string, string>>][] = [
      ['approver', async () => pagesToSee(truth, request)],
      ['admin', async () => pagesOfAdministration(truth)],
      ['operator', async () => (sees(look, 'incident') ? pagesOfOutage(operator, truth, product) : {})],
    ];
    for (const [account, prepare] of desks) {
      const pages = await prepare();
      named.push(pages);
      const page = await as(account, browserFor(look));
      for (const [name, address] of Object.entries(pages)) {
        if (!sees(look, name)) continue;
        await arrive(page, address, look);
        found[name] = await faultsOf(page);
        await picture(page, name, look);
      }
    }
    if (sees(look, 'incident')) expect(notSeen(named.flatMap((pages) => Object.values(pages)))).toEqual([]);
    expect(Object.entries(found).filter(([, faults]) => faults.length > 0)).toEqual([]);
  });
}
