import { type Page } from '@playwright/test';
import { expect } from './desk';
import { type LedgerTruth } from './ledger-truth';
import { testWithOwnProduct } from './own-product';
import { runCommand } from './run-command';

const test = testWithOwnProduct('tampered');

/** What somebody with the superuser's password could do to the audit, and the first number that is bad then. */
const CHANGES = [
  {
    name: 'changes an event',
    sql: `UPDATE review.audit_events SET actor_name = 'Somebody Else' WHERE number = 3`,
    firstBad: 3,
  },
  { name: 'removes an event', sql: 'DELETE FROM review.audit_events WHERE number = 4', firstBad: 4 },
  {
    name: 'puts two events in each other’s place',
    sql: `UPDATE review.audit_events SET number = number + 1000000 WHERE number IN (2, 3);
          UPDATE review.audit_events SET number = 1000005 - number WHERE number > 1000000`,
    firstBad: 2,
  },
  {
    name: 'cuts the last event off',
    sql: 'DELETE FROM review.audit_events WHERE number = (SELECT max(number) FROM review.audit_events)',
    firstBad: 'last',
  },
] as const;

test('R-087c R-087g what a superuser changes, removes, swaps or cuts off: page and command name the first bad number', async ({
  as,
  truth,
  product,
}) => {
  // Signing in is recorded; three people make enough events to tamper with.
  await as('operator');
  await as('approver');
  const page = await as('manager');
  await page.goto('/audit');
  await expect(integrity(page, /Verified up to number \d+/)).toBeVisible();
  await truth.rows('CREATE TABLE review.audit_before AS SELECT * FROM review.audit_events');
  const { last } = await truth.one<{ last: string }>('SELECT max(number) AS last FROM review.audit_before');

  for (const { name, sql, firstBad } of CHANGES) {
    await test.step(name, async () => {
      const bad = firstBad === 'last' ? last : String(firstBad);
      await unguarded(truth, sql);
      await verifiedAgain(page, `Broken: first bad number ${bad}`);
      expect(await runCommand(product, 'audit:verify')).toMatchObject({
        code: 1,
        output: expect.stringContaining(`First bad number: ${bad} `),
      });

      await unguarded(
        truth,
        'DELETE FROM review.audit_events; INSERT INTO review.audit_events SELECT * FROM review.audit_before',
      );
      await verifiedAgain(page, /Verified up to number \d+/);
    });
  }
});

/** The page's word, once it was verified after the change. */
async function verifiedAgain(page: Page, words: string | RegExp): Promise<void> {
  await expect(async () => {
    await page.getByRole('button', { name: 'Verify again' }).click();
    await expect(integrity(page, words)).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 20_000 });
}

function integrity(page: Page, words: string | RegExp) {
  return page.getByRole('status').filter({ hasText: words });
}

/** As a superuser who first takes the guards away: they refuse even that role otherwise. */
async function unguarded(truth: LedgerTruth, sql: string): Promise<void> {
  await expect(truth.rows(sql)).rejects.toThrow();
  const guard = 'TRIGGER audit_events_are_only_added';
  await truth.rows(
    `ALTER TABLE review.audit_events DISABLE ${guard}; ${sql}; ALTER TABLE review.audit_events ENABLE ALWAYS ${guard}`,
  );
}
