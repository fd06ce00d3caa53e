import AxeBuilder from '@axe-core/playwright';
import fs from 'node:fs';
import { type Page } from '@playwright/test';
import { expect, test } from './desk';
import { type LedgerTruth } from './ledger-truth';
import { openQueue } from './queue-page';
import { browserFor } from './sights';

/** More than a page of the queue. */
const ROWS = 60;

/** So many copies of an open exception, each with an execution of its own whose key begins with `name`. */
async function copies(truth: LedgerTruth, key: string, name: string): Promise<void> {
  if (!/^[\w-]+$/.test(name) || !/^[\w.:/-]+$/.test(key)) throw new Error(`${key} ${name}`);
  await truth.rows(
    `DO $do$ BEGIN SET LOCAL session_replication_role = replica;
      CREATE TEMP TABLE made ON COMMIT DROP AS SELECT gen_random_uuid() AS eid, gen_random_uuid() AS xid, '${name}-' || lpad(n::text, 3, '0') AS key
        FROM generate_series(1, ${ROWS}) n;
      INSERT INTO ledger.executions SELECT (jsonb_populate_record(o, jsonb_build_object('execution_id', m.eid, 'lineage_id', m.eid,
          'idempotency_key', m.key, 'request_id', m.key, 'business_ref', null, 'external_request_key', null))).*
        FROM made m, ledger.executions o WHERE o.idempotency_key = '${key}';
      INSERT INTO review.exceptions SELECT (jsonb_populate_record(x, jsonb_build_object('exception_id', m.xid, 'execution_id', m.eid,
          'lineage_id', m.eid))).*
        FROM made m, review.exceptions x JOIN ledger.executions o ON o.execution_id = x.execution_id
       WHERE o.idempotency_key = '${key}' AND x.state = 'OPEN'; END $do$`,
  );
}

async function prepareForMe(page: Page, name: string): Promise<void> {
  await openQueue(page, `?q=${name}`);
  await page.getByRole('button', { name: `All matches (${ROWS})` }).click();
  await expect(page.getByText(`${ROWS} selected: all that the filter finds`)).toBeVisible();
  await page.getByRole('button', { name: 'Assign to me' }).click();
  await expect(page.getByRole('heading', { name: `Assign ${ROWS} exceptions`, level: 1 })).toBeVisible();
}

test('R-053f R-053h R-053 all matches become a job that is previewed, asks after its first rows, goes on by itself and leaves nothing out', async ({
  as,
  automations,
  truth,
}) => {
  test.setTimeout(240_000);
  const { key } = await automations.cause('mail-sent-answer-lost');
  const name = `many-${Date.now()}`;
  await expect
    .poll(
      () =>
        truth.rows(
          `SELECT 1 FROM review.exceptions x JOIN ledger.executions e USING (execution_id)
        WHERE e.idempotency_key = $1 AND x.state = 'OPEN'`,
          [key],
        ),
      { timeout: 60_000 },
    )
    .toHaveLength(1);
  await copies(truth, key, name);
  const page = await as('operator');
  await prepareForMe(page, name);
  await expect(page.getByText(`${ROWS} rows would be done`)).toBeVisible();
  await expect(page.getByText('Preview: nothing has happened')).toBeVisible();

  await page.getByLabel('Rows per second, at most').selectOption('100');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.getByText('The first 5 rows have their outcome. Go on?')).toBeVisible({
    timeout: 60_000,
  });
  await expect(page.getByRole('progressbar', { name: 'Rows with an outcome' })).toHaveAttribute(
    'aria-valuenow',
    '5',
  );

  // Somebody takes one of those that wait.
  const waiting = await truth.one<{ id: string }>(
    `SELECT w.exception_id::text AS id FROM review.bulk_job_rows w JOIN review.bulk_jobs j USING (job_id)
      WHERE j.words = $1 AND w.row_number = ${ROWS}`,
    [name],
  );
  const colleague = await as('approver');
  await colleague.goto(`/exceptions/${waiting.id}`);
  await colleague.getByRole('button', { name: 'Take it' }).click();
  await expect(colleague.getByText('Assigned.', { exact: true })).toBeVisible();

  await openQueue(page, '');
  await expect(page.getByText(`A bulk job is paused: 5 of ${ROWS}.`)).toBeVisible();
  await page.getByRole('link', { name: 'Open it' }).first().click();
  await page.getByRole('button', { name: 'The first rows are fine: go on' }).click();
  await expect(page.getByText('The job is done.')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(`${ROWS - 1} done, 1 refused, 0 failed, 0 not done.`)).toBeVisible();

  await page.getByRole('navigation', { name: 'Show rows' }).getByRole('link', { name: 'Refused' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Not done.' })).toHaveCount(1);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as CSV' }).click();
  const file = fs.readFileSync(await (await download).path(), 'utf8');
  expect(file.trim().split('\r\n')).toHaveLength(ROWS + 1);
  expect(file).toContain('CHANGED_SINCE_SEEN');

  await page.getByRole('button', { name: 'Try the rest again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Try the rest again' }).click();
  await expect(page.getByRole('heading', { name: 'Assign 1 exception', level: 1 })).toBeVisible();
  await expect(page.getByText('1 row would be done')).toBeVisible();
  const { n } = await truth.one<{ n: number }>(
    `SELECT count(*)::int AS n FROM review.audit_events a JOIN review.exceptions x USING (exception_id)
       JOIN ledger.executions e ON e.execution_id = x.execution_id
      WHERE e.idempotency_key LIKE $1 AND a.event = 'exception.assigned' AND a.outcome = 'done' AND a.http_request_id LIKE 'bulk-job:%'`,
    [`${name}-%`],
  );
  expect(n).toBe(ROWS - 1);
});

test('R-053f R-097 a job in Korean, in the dark, on a phone: nothing overflows, no barriers; a manager sees it, another operator does not', async ({
  as,
  automations,
  truth,
}) => {
  test.setTimeout(240_000);
  const { key } = await automations.cause('mail-sent-answer-lost');
  const name = `phone-${Date.now()}`;
  await expect
    .poll(
      () =>
        truth.rows(`SELECT 1 FROM ledger.executions WHERE idempotency_key = $1 AND state = 'UNKNOWN'`, [key]),
      {
        timeout: 60_000,
      },
    )
    .toHaveLength(1);
  await copies(truth, key, name);
  const page = await as('operator');
  await prepareForMe(page, name);
  const { pathname } = new URL(page.url());
  const looks = [
    await as('manager', browserFor({ language: 'ko', theme: 'dark', width: 'phone' })),
    await as('manager', browserFor({ language: 'en', theme: 'light', width: 'desktop' })),
  ];
  for (const look of looks) {
    for (const address of [pathname, '/queue/jobs']) {
      await look.goto(address);
      await expect(look.getByRole('heading', { level: 1 })).toBeVisible();
      const width = await look.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      expect(width[0]).toBeLessThanOrEqual(width[1] ?? 0);
      const { violations } = await new AxeBuilder({ page: look }).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    }
  }
  const other = await as('approver');
  await other.goto(pathname);
  await expect(
    other.getByRole('heading', { name: 'There is nothing at this address' }).first(),
  ).toBeVisible();
});
