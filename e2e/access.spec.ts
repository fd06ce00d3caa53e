import { type APIRequestContext, type Page } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { expect, test } from './desk';
import { DecisionOnPage, expectUnavailable } from './exception-page';
import { type LedgerTruth } from './ledger-truth';
import { openException } from './queue-page';

/** Of every kind of page one; ids of the tenant. */
async function addresses(truth: LedgerTruth, tenant: string): Promise<string[]> {
  const ids = await truth.one<{ exception: string; execution: string }>(
    `SELECT (SELECT exception_id FROM review.exceptions WHERE tenant_id = $1 LIMIT 1) AS exception,
            (SELECT execution_id FROM ledger.executions WHERE tenant_id = $1 LIMIT 1) AS execution`,
    [tenant],
  );
  return [
    `/exceptions/${ids.exception}`,
    `/executions/${ids.execution}`,
    ...['/', '/queue', '/executions', '/approvals', '/audit', '/account/sessions', '/help'],
  ];
}

test('R-098c nobody gets a page without a session: not signed out, not with a made-up cookie, not as data', async ({
  playwright,
  product,
  truth,
}) => {
  const strangers: Record<string, string>[] = [
    {},
    { cookie: `__Host-onceover-session=${randomUUID()}` },
    { rsc: '1', 'next-router-prefetch': '1' },
    { rsc: '1', cookie: '__Host-onceover-session=x' },
  ];
  for (const extraHTTPHeaders of strangers) {
    const stranger = await playwright.request.newContext({ baseURL: product.address, extraHTTPHeaders });
    const closed = [
      ...(await addresses(truth, 'tenant-north')),
      ...[
        '/audit/1',
        `/approvals/${randomUUID()}`,
        '/admin/people',
        `/admin/people/${randomUUID()}`,
        '/admin/tokens',
      ],
    ];
    for (const address of closed) {
      const answer = await follow(stranger, address);
      expect(answer.url, `${address} with ${JSON.stringify(extraHTTPHeaders)}`).toMatch(/\/login(\?|$)/);
      expect(answer.body).not.toContain('s1-');
    }
    await stranger.dispose();
  }
});

test('R-098c no byte of the south reaches an operator of the north', async ({ as, truth, systems }) => {
  const page = await as('operator');
  const received = collect(page);
  const south = systems
    .work()
    .list()
    .filter(({ intent }) => intent.principal === 'south-automation');
  expect(south.length, 'the south must have something to hide').toBeGreaterThan(0);
  const ids = await truth.rows<{ id: string }>(
    `SELECT exception_id::text AS id FROM review.exceptions WHERE tenant_id = 'tenant-south'
     UNION SELECT execution_id::text FROM ledger.executions WHERE tenant_id = 'tenant-south'`,
  );
  const canaries = [
    ...['tenant-south', 'South (demo)', 'south-automation', 'south-shop', 'south-desk', 'south-sales'],
    ...south.flatMap(({ intent }) => [intent.key, intent.workflowId, intent.requestId]),
    ...ids.map(({ id }) => id),
  ];
  for (const address of await addresses(truth, 'tenant-north')) {
    await page.goto(address);
    await expect(page.getByRole('main')).toBeVisible();
  }
  for (const query of [
    '?state=any',
    '?state=any&sort=opened',
    '?kind=CONTENT_CONFLICT',
    '?kind=UNKNOWN_RESULT',
  ]) {
    await page.goto(`/queue${query}`);
    await expect(page.getByRole('main')).toBeVisible();
  }
  const texts = await received();
  expect(texts.length).toBeGreaterThan(10);
  for (const { url, text } of texts) {
    expect(
      canaries.filter((canary) => text.includes(canary)),
      `in ${url}`,
    ).toEqual([]);
  }
});

test('R-098c another tenant’s exception and one that does not exist answer alike', async ({
  people,
  truth,
}) => {
  // A window that nobody watches: browsers note a 404 on the console.
  const page = await (await people.window('operator')).newPage();
  const { id } = await truth.one<{ id: string }>(
    `SELECT exception_id::text AS id FROM review.exceptions WHERE tenant_id = 'tenant-south' LIMIT 1`,
  );
  const seen = [];
  for (const each of [id, randomUUID()]) {
    const answer = await page.goto(`/exceptions/${each}`);
    await expect(
      page.getByRole('heading', { name: 'There is no such exception here' }).first(),
    ).toBeVisible();
    seen.push({ status: answer?.status(), words: await page.getByRole('main').innerText() });
  }
  expect(seen[0]).toEqual(seen[1]);
  expect(seen[0]?.status).toBe(404);
});

test('R-074 a manager reads every exception and can decide none', async ({ as, truth }) => {
  const page = await as('manager');
  const exceptions = await truth.rows<{ id: string; kind: string }>(
    `SELECT DISTINCT ON (kind) exception_id::text AS id, kind FROM review.exceptions WHERE state = 'OPEN' ORDER BY kind`,
  );
  expect(exceptions.length).toBeGreaterThan(5);
  for (const { id, kind } of exceptions) {
    await page.goto(`/exceptions/${id}`);
    await expect(page.getByRole('heading', { name: 'What you can do' })).toBeVisible();
    const sends = page
      .getByRole('main')
      .getByRole('button', { includeHidden: true })
      .and(page.locator('[type=submit]'));
    for (const send of await sends.all()) {
      expect(await send.getAttribute('aria-disabled'), `${await send.textContent()} at ${kind}`).toBe('true');
    }
    const form = page.getByRole('form').first();
    if (await form.isVisible())
      await expectUnavailable(form.getByRole('button').last(), /^Your roles do not allow this/);
  }
});

test('R-048a an operator without the authority is told so beside each decision', async ({
  as,
  automations,
}) => {
  const mail = await automations.cause('mail-sent-answer-lost');
  const page = await as('operator2');
  await openException(page, mail, 'UNKNOWN_RESULT');
  const fail = new DecisionOnPage(page, 'Fail for good');
  await fail.open();
  await expectUnavailable(fail.button('Fail for good'), /needs the authority “Sending”/);
});

/** Follows redirects the way a browser does and says where it ended. */
async function follow(stranger: APIRequestContext, address: string) {
  const answer = await stranger.get(address);
  return { url: answer.url(), body: await answer.text() };
}

/** Every text that the page's own server sends from now on: documents, data of the router, answers of actions. */
function collect(page: Page): () => Promise<{ url: string; text: string }[]> {
  const texts: Promise<{ url: string; text: string }>[] = [];
  page.on('response', (response) => {
    if (/\/_next\/static\//.test(response.url()) || response.status() >= 300) return;
    const text = response.text().catch(() => '');
    texts.push(text.then((body) => ({ url: response.url(), text: body })));
  });
  return () => Promise.all(texts);
}
