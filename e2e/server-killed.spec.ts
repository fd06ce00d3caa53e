import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { type Intent } from '@/lib/sandbox/automations/intent';
import { askForConfirmation, askForCorrection } from './ask-second-person';
import { closeWindows } from './desk';
import { ExternalSystems, type Effect } from './external-systems';
import { holdNextAction } from './held-requests';
import { KillableDesk } from './killable-desk';
import { poll } from './poll';
import { Producer } from './producer';
import { openException } from './queue-page';
import { runCommand } from './run-command';

/** Milliseconds after a press within which a decision usually comes about here. */
const USUAL = 150;
const MOMENTS = [
  'before it was decided',
  'after it was decided and before the answer',
  'at a random moment',
] as const;
type Moment = (typeof MOMENTS)[number];

/** One decision that a person is about to press. */
interface Act {
  page: Page;
  button: Locator;
  /** Shown once it is decided. */
  done: Locator;
  /** Number of times that it was decided. */
  decided: () => Promise<number>;
  key: string;
}

test.describe('the server is killed with SIGKILL while a decision is made', () => {
  test.describe.configure({ timeout: 240_000 });

  let desk: KillableDesk;
  const links: Intent[] = [];
  const payments: { intent: Intent; request: string }[] = [];
  const corrections: { intent: Intent; request: string }[] = [];
  const decided = { links: [] as Intent[], payments: [] as Intent[], corrections: [] as Intent[] };

  test.beforeAll(async ({ browser }) => {
    test.setTimeout(300_000);
    desk = await KillableDesk.start(browser, 'killed');
    const cause = (scenario: string) => Promise.all(MOMENTS.map(() => desk.automations.cause(scenario)));
    const unpaid = await cause('payment-never-arrived');
    links.push(...(await cause('mail-sent-answer-lost')));
    const changed = await cause('amount-changed');
    const operator = await desk.window('operator');
    for (const intent of changed)
      corrections.push({ intent, request: await askForCorrection(operator, intent) });
    for (const intent of unpaid)
      payments.push({ intent, request: await askForConfirmation(operator, intent) });
  });

  test.afterEach(({ browser }) => closeWindows(browser));
  test.afterAll(() => desk.stop());

  for (const [number, moment] of MOMENTS.entries()) {
    test(`R-085 R-077b linking, killed ${moment}: nothing acknowledged is lost, nothing decided twice`, async () => {
      const intent = at(links, number);
      const page = await desk.window('operator');
      await openException(page, intent, 'UNKNOWN_RESULT');
      await survive(moment, {
        page,
        key: intent.key,
        button: page.getByRole('button', { name: /^Link MSG-/ }),
        done: page.getByText('Olivia Operator decided: Link the result').first(),
        decided: () =>
          count(
            `SELECT FROM review.decisions d JOIN ledger.executions e USING (execution_id)
             WHERE e.idempotency_key = $1 AND d.decision = 'LINK_RESULT'`,
            intent.key,
          ),
      });
      decided.links.push(intent);
    });

    test(`R-085 R-077b confirming as second person, killed ${moment}`, async () => {
      const { intent, request } = at(payments, number);
      await survive(moment, await verdict('Confirm', request, intent.key));
      decided.payments.push(intent);
    });

    test(`R-085 R-077b approving a new key, killed ${moment}`, async () => {
      const { intent, request } = at(corrections, number);
      await survive(moment, await verdict('Approve', request, intent.key));
      decided.corrections.push(intent);
    });
  }

  test('R-072 afterwards the automations finish what was allowed: each effect once, the audit whole', async () => {
    const systems = new ExternalSystems(desk.place);
    const producer = new Producer(desk.place);
    desk.automations.startExecutor();
    for (const { key } of decided.links) expect(await systems.mails(key)).toHaveLength(1);
    for (const { key } of decided.payments) expect(await settledPayments(systems, key)).toHaveLength(1);
    for (const intent of decided.corrections) {
      const original = await producer.find(intent.operation, intent.key);
      const made = await desk.truth.one<{ key: string }>(
        'SELECT idempotency_key AS key FROM ledger.executions WHERE reissue_of = $1',
        [original?.executionId],
      );
      expect(await systems.payments(intent.key)).toHaveLength(1);
      expect(await settledPayments(systems, made.key)).toHaveLength(1);
    }
    expect(await runCommand(desk.place, 'audit:verify')).toMatchObject({ code: 0 });
  });

  async function survive(moment: Moment, act: Act): Promise<void> {
    await expect(act.button).not.toHaveAttribute('aria-disabled', 'true');
    const acknowledged = await pressAndKill(moment, act);
    await desk.startAgain();
    const before = await act.decided();
    if (moment === 'before it was decided') expect(before).toBe(0);
    if (acknowledged || moment === 'after it was decided and before the answer') expect(before).toBe(1);

    const sendAgain = act.page.getByRole('button', { name: 'Send again' });
    await expect(act.done.or(sendAgain).first()).toBeVisible({ timeout: 60_000 });
    if (await sendAgain.isVisible()) await sendAgain.click();
    await expect(act.done).toBeVisible({ timeout: 30_000 });
    expect(await act.decided()).toBe(1);
    await act.page.context().close();
  }

  /** Whether the page had said "done" by the time of the kill. */
  async function pressAndKill(moment: Moment, { page, button, done, key }: Act): Promise<boolean> {
    const unknown = page.getByText('The outcome is not known yet');
    switch (moment) {
      case 'before it was decided': {
        const release = await desk.truth.lock(
          'SELECT FROM ledger.executions WHERE idempotency_key = $1 FOR UPDATE',
          [key],
        );
        await button.click();
        await poll(
          'the decision to wait for the lock',
          async () =>
            (await count(
              `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND usename = $1`,
              'onceover_app',
            )) > 0,
        );
        await desk.kill();
        await release();
        await expect(unknown).toBeVisible();
        return false;
      }
      case 'after it was decided and before the answer': {
        const next = await holdNextAction(page);
        await button.click();
        const { route } = await next.held;
        await route.fetch();
        await desk.kill();
        await route.abort('connectionreset');
        await expect(unknown).toBeVisible();
        return false;
      }
      case 'at a random moment': {
        const delay = randomInt(USUAL);
        test.info().annotations.push({ type: 'killed after ms', description: String(delay) });
        await button.click();
        await pause(delay);
        const acknowledged = await done.isVisible();
        await desk.kill();
        return acknowledged;
      }
    }
  }

  async function verdict(word: 'Confirm' | 'Approve', request: string, key: string): Promise<Act> {
    const page = await desk.window('approver');
    await page.goto(request);
    await page.getByLabel('Reason').fill('Checked in the outside system.');
    return {
      page,
      key,
      button: page.getByRole('button', { name: word, exact: true }),
      done: page.getByText(/Approved and recorded|Ada Approver approved/).first(),
      decided: () => count('SELECT FROM review.approval_decisions WHERE request_id = $1', request.slice(-36)),
    };
  }

  async function count(sql: string, value: string): Promise<number> {
    return (await desk.truth.rows(sql, [value])).length;
  }
});

function at<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new Error(`nothing was prepared at ${index}`);
  return item;
}

async function settledPayments(systems: ExternalSystems, key: string): Promise<Effect[]> {
  await expect(async () => {
    expect((await systems.payments(key)).map(({ status }) => status)).toContain('succeeded');
  }).toPass({ timeout: 60_000 });
  return systems.payments(key);
}
