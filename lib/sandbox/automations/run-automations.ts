import { setTimeout as sleep } from 'node:timers/promises';
import { createLedgerClient } from '@/lib/ledger/client';
import { burst, nextDangerous } from './schedule';
import { CALM, DANGEROUS } from './scenarios';
import { type Scenario } from './scenario';
import { Supervisor, type SupervisorOptions } from './supervisor';

/**
 * Between two starts of the first burst, in milliseconds: at least the first, and until the process before has begun
 * or the second is over. The processes share two cores with a product that is just starting.
 */
const BURST_STEP_MS = { least: 300, most: 5_000 };
/** Ordinary work: lively for the first ten minutes, then calm, so that a day is about 1,500 workflows. */
const LIVELY_FOR_MS = 10 * 60_000;
const LIVELY_EVERY_MS = 20_000;
const CALM_EVERY_MS = 60_000;
/** Between two dangerous scenarios after the burst. */
const DANGEROUS_EVERY_MS = 4 * 60_000;
/** A crashed executor starts again after this pause. */
const EXECUTOR_PAUSE_MS = 2_000;

export interface AutomationsOptions extends SupervisorOptions {
  signal: AbortSignal;
}

/** Runs the demo's automations until the signal: first a burst, then calm traffic with a dangerous run now and then. */
export async function runAutomations(options: AutomationsOptions): Promise<void> {
  const { signal, book } = options;
  const supervisor = new Supervisor(options);
  try {
    await untilLedgerAnswers(options);
    await Promise.all([
      keepExecutor(supervisor, signal),
      startBurst(supervisor, options, burst(book, available(DANGEROUS, options), new Date())),
      keepCalmTraffic(supervisor, options),
      keepDangers(supervisor, options),
    ]);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await supervisor.stop();
  }
}

async function startBurst(
  supervisor: Supervisor,
  options: AutomationsOptions,
  scenarios: Scenario[],
): Promise<void> {
  for (const scenario of scenarios) {
    const { begun } = supervisor.begin(scenario);
    await sleep(BURST_STEP_MS.least, undefined, { signal: options.signal });
    await Promise.race([begun, sleep(BURST_STEP_MS.most, undefined, { signal: options.signal })]);
  }
}

/** Without a SQL login nothing of that producer runs. */
function available(scenarios: readonly Scenario[], options: AutomationsOptions): Scenario[] {
  return scenarios.filter(({ principal }) =>
    principal === 'north-sql'
      ? options.base.northSqlUrl !== null
      : options.producers[principal] !== undefined,
  );
}

async function keepExecutor(supervisor: Supervisor, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await supervisor.startExecutor().ended;
    await sleep(EXECUTOR_PAUSE_MS, undefined, { signal });
  }
}

async function keepCalmTraffic(supervisor: Supervisor, options: AutomationsOptions): Promise<void> {
  const begun = Date.now();
  const scenarios = available(CALM, options);
  for (let turn = 0; ; turn += 1) {
    const pause = Date.now() - begun < LIVELY_FOR_MS ? LIVELY_EVERY_MS : CALM_EVERY_MS;
    await sleep(pause, undefined, { signal: options.signal });
    const scenario = scenarios[turn % scenarios.length];
    if (scenario !== undefined) supervisor.begin(scenario);
  }
}

async function keepDangers(supervisor: Supervisor, options: AutomationsOptions): Promise<void> {
  for (;;) {
    await sleep(DANGEROUS_EVERY_MS, undefined, { signal: options.signal });
    const scenario = nextDangerous(options.book, available(DANGEROUS, options), new Date());
    if (scenario !== null) supervisor.begin(scenario);
  }
}

/** The product may still be starting; its own API says when it is there. */
async function untilLedgerAnswers({ base, producers, signal }: AutomationsOptions): Promise<void> {
  const [producer] = Object.values(producers);
  if (producer === undefined) throw new Error('the sandbox has no producer token');
  const client = createLedgerClient({ baseUrl: base.ledgerUrl, token: producer.token });
  while (!signal.aborted) {
    const answer = await client.listWaiting({ state: 'RECEIVED', limit: 1 }, { signal });
    if (answer.kind === 'OK') return;
    await sleep(500, undefined, { signal });
  }
}
