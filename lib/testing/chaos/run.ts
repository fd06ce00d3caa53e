// One run: its plan carried out in a world that other runs share, until each of its intents is settled.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Payload } from '@/lib/sandbox/automations/intent';
import type { Errand } from './orders';
import { planRun, type ChaosOperation, type PlannedIntent, type RunPlan } from './plan';
import type { World } from './world';

/** Milliseconds in which the intents of a run settle, on a slow machine too; what is not settled then shows in the verdict. */
const PATIENCE_MS = 90_000;
const POLL_MS = 100;

export interface Run {
  readonly number: number;
  readonly keys: readonly string[];
  readonly killedDatabase: boolean;
  /** Milliseconds from its start to the last settled intent. */
  readonly tookMs: number;
  readonly settled: boolean;
}

const SYSTEM: Record<ChaosOperation, { system: string; account: string }> = {
  'create-crm-record': { system: 'crm', account: 'north-sales' },
  'register-monthly-report': { system: 'crm', account: 'north-reports' },
  'send-receipt-mail': { system: 'mail', account: 'north-desk' },
  'create-payment': { system: 'payment', account: 'north-shop' },
};

/** What the keys of a run begin with. */
export const runName = (seed: number, number: number) => `chaos-${seed}-${number}-`;

export async function carryOut(world: World, seed: number, number: number): Promise<Run> {
  const plan = planRun(seed, number);
  const startedAt = Date.now();
  const errands = plan.intents.map((intent, index) => errandsOf(intent, `${runName(seed, number)}${index}`));
  const disturbance = new AbortController();
  disturb(world, plan, disturbance.signal);
  for (const { to, errand } of errands.flat()) world.staff.automation[to]?.send({ errands: [errand] });
  const ids = new Set(errands.flat().map(({ errand }) => errand.id));
  const busy = () => world.staff.automation.some((each) => each.has(ids));
  while (busy() && Date.now() - startedAt < PATIENCE_MS) await sleep(POLL_MS);
  const settled = !busy();
  // Its senders may go on in their process; nobody tells them again to a successor.
  for (const each of world.staff.automation) each.forget(ids);
  disturbance.abort();
  return {
    ...{ number, settled, tookMs: Date.now() - startedAt, killedDatabase: plan.killDatabaseAfterMs !== null },
    keys: errands.map((copies) => copies[0]?.errand.key ?? ''),
  };
}

function errandsOf(intent: PlannedIntent, name: string): { to: number; errand: Errand }[] {
  const key = `${name}.${intent.settle === 'NEW_KEY' ? 'new-key' : 'same-key'}`;
  const { operation } = intent;
  const { system, account } = SYSTEM[operation];
  const errand = (id: string, amount: number): Errand => ({
    ...{ id: `${name}/${id}`, operation, key, system, account, workflowId: name },
    ...{ payload: payloadOf(operation, account, name, amount), faults: [], delayMs: 0, strike: null },
    once: false,
  });
  const copies = intent.copies.map(({ automation, delayMs, strike, fault }, index) => ({
    to: automation,
    errand: {
      ...errand(String(index), intent.amount),
      delayMs,
      strike,
      faults: fault === null ? [] : [fault],
    },
  }));
  const other = { to: 0, errand: { ...errand('other', intent.amount + 1), delayMs: 400 } };
  return intent.conflict ? [...copies, other] : copies;
}

function payloadOf(operation: ChaosOperation, account: string, name: string, amount: number): Payload {
  if (operation === 'create-payment')
    return { account, orderNumber: name, amount, currency: 'KRW', method: 'card' };
  if (operation === 'send-receipt-mail')
    return { account, to: 'ada.moreau@customer.test', subject: `Receipt ${name}`, text: `Amount: ${amount}` };
  return { account, name, amount, currency: 'KRW' };
}

/** Arms what the plan arms; nothing of it happens once the run is over. */
function disturb(world: World, plan: RunPlan, signal: AbortSignal): void {
  for (const { kind, index, ...arm } of plan.strikes) world.staff[kind][index]?.send({ arms: [arm] });
  const later = (ms: number, act: () => void) =>
    void sleep(ms, undefined, { signal }).then(act, () => undefined);
  for (const { marker, lost, afterMs } of plan.losses) {
    later(afterMs, () =>
      lost === 'ANSWER' ? world.proxy.dropAnswerTo(marker) : world.proxy.dropStatement(marker),
    );
  }
  if (plan.killDatabaseAfterMs !== null) later(plan.killDatabaseAfterMs, () => killDatabase(world));
}

function killDatabase(world: World): void {
  try {
    world.killDatabase();
  } catch {
    // Another run has just killed it.
  }
}
