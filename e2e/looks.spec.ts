import { demoEmail } from '@/lib/commands/demo-accounts';
import { askForCorrection } from './ask-second-person';
import { expect, test } from './desk';
import { type LedgerTruth } from './ledger-truth';
import { arrive, browserFor, faultsOf, LOOKS, nameOf, picture } from './sights';

// Some fifteen pages each, judged by axe.
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
      const { id } = await truth.one<{ id: string }>(
        `SELECT x.exception_id AS id FROM review.exceptions x JOIN ledger.executions e USING (execution_id)
         WHERE e.workflow_id LIKE $1 AND x.kind = $2 ORDER BY x.opened_at LIMIT 1`,
        [`${scenario}-%`, kind],
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
  };
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
    connectors: '/admin/connectors',
    connector: '/admin/connectors/sandbox-payment',
    'connector-form': '/admin/connectors/sandbox-payment/change',
    'connector-new': '/admin/new-connector',
    'connector-shipped': '/admin/new-connector?from=shipped',
    'connector-settings': '/admin/new-connector?from=shipped&of=stripe-payment-intent',
    'connector-filled': '/admin/new-connector?from=shipped&of=stripe-payment-intent&account=acct_1',
  };
}

for (const look of LOOKS) {
  test(`R-097 every page reads well, is without barriers and fits: ${nameOf(look)}`, async ({
    as,
    truth,
    automations,
    browser,
    product,
  }) => {
    const request = await askForCorrection(await as('operator'), await automations.cause('amount-changed'));
    const found: Record<string, string[]> = {};
    const outside = await browser.newContext({ baseURL: product.address, ...browserFor(look) });
    const stranger = await outside.newPage();
    for (const name of ['login', 'docs']) {
      await arrive(stranger, `/${name}`, look);
      found[name] = await faultsOf(stranger);
      await picture(stranger, name, look);
    }
    await outside.close();

    const desks = [
      ['approver', await pagesToSee(truth, request)],
      ['admin', await pagesOfAdministration(truth)],
    ] as const;
    for (const [account, pages] of desks) {
      const page = await as(account, browserFor(look));
      for (const [name, address] of Object.entries(pages)) {
        await arrive(page, address, look);
        found[name] = await faultsOf(page);
        await picture(page, name, look);
      }
    }
    expect(Object.entries(found).filter(([, faults]) => faults.length > 0)).toEqual([]);
  });
}
