// The signer of the audit's checkpoints: a process of its own, as the role onceover_signer, with the only private key.
import { parseArgs } from 'node:util';
import pino from 'pino';
import { makePool } from '@/lib/db/pool';
import { deliverWaiting } from './checkpoint-delivery';
import { checkpointWebhook } from './checkpoint-webhook';
import { readCommandLine } from './command-line.mjs';
import { dataDir } from './data-dir.mjs';
import { holdInstalled } from './installed-database.mjs';
import { pass, revoke, rotate, signUntil, type SignerNeeds } from './signer-process';
import { presentKey } from './signing-keys';

const USAGE = `usage: npm run audit:signer [-- --make-key] [-- --once [--accept-times] | --rotate | --revoke KEYID [--at INSTANT]]
  Signs the head of the audit chain every AUDIT_CHECKPOINT_SECONDS (15) while there is news, into
  DATA_DIR/audit-checkpoints.jsonl. Refuses, and raises an alarm, when the log is not what it signed before.
  --make-key  makes a key in DATA_DIR when AUDIT_SIGNING_KEY is not set and none is there
  --once      one pass; exit 1 when it was refused
  --rotate    hands over to a new key: both sign, and the change is an audit event
  --accept-times  with --once: signs events whose times contradict each other (CLOCK), after somebody has looked; they stay told
  --revoke    what this earlier key signs counts for nothing from --at on (RFC 3339; now unless given)`;

const SECONDS = 15;

const {
  once,
  rotate: rotating,
  revoke: revoked,
  at,
  'make-key': makeKey,
  'accept-times': acceptTimes,
} = readCommandLine(USAGE, () => {
  const { values } = parseArgs({
    options: {
      once: { type: 'boolean', default: false },
      rotate: { type: 'boolean', default: false },
      revoke: { type: 'string' },
      at: { type: 'string' },
      'make-key': { type: 'boolean', default: false },
      'accept-times': { type: 'boolean', default: false },
    },
  });
  if (values.at !== undefined && Number.isNaN(Date.parse(values.at)))
    throw new Error('--at must be an instant.');
  if (values['accept-times'] && !values.once) throw new Error('--accept-times goes with --once.');
  return values;
});

const log = pino({ name: 'signer', level: process.env['LOG_LEVEL'] ?? 'info', base: null });
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => stopping.abort());
// The parent is gone, kill -9 included: so are we.
if (process.channel) process.once('disconnect', () => stopping.abort());

/** Microseconds, as everything that is signed. */
const instantOf = (text: string | undefined): string =>
  new Date(text ?? Date.now()).toISOString().replace(/Z$/, '000Z');

async function run(needs: SignerNeeds): Promise<0 | 1> {
  if (!once && !rotating && revoked === undefined) {
    log.info({ event: 'signer_started' });
    await signUntil(needs, Number(process.env['AUDIT_CHECKPOINT_SECONDS'] || SECONDS), stopping.signal);
    log.info({ event: 'signer_stopped' });
    return 0;
  }
  const done = rotating
    ? await rotate(needs)
    : revoked === undefined
      ? await pass(needs, acceptTimes)
      : await revoke(needs, revoked, instantOf(at));
  await needs.deliver?.(stopping.signal);
  if (done.kind === 'alarm') {
    const where = done.alarm.number === null ? '' : ` First bad number: ${done.alarm.number}.`;
    console.error(`Nothing was signed: ${done.alarm.code}.${where}`);
    return 1;
  }
  console.log(
    done.kind === 'signed'
      ? `Signed (${done.record.type}) up to number ${done.record.number}.`
      : `Nothing to sign: everything up to number ${done.number} is signed.`,
  );
  return 0;
}

async function main(): Promise<0 | 1> {
  // What would be refused at each pass or delivery is refused before anything is connected.
  const send = checkpointWebhook(process.env);
  const url = process.env['DATABASE_SIGNER_URL'] || process.env['DATABASE_URL'];
  const held = url ? null : await holdInstalled('onceover_signer');
  try {
    const folder = dataDir();
    const place = { folder, env: process.env, make: makeKey || held !== null };
    presentKey(place);
    const deliver = send && ((stop: AbortSignal) => deliverWaiting({ folder, send, log }, stop));
    return await work(url ?? held?.url('onceover_signer') ?? '', {
      ...{ place, log },
      ...(deliver ? { deliver } : {}),
    });
  } finally {
    await held?.release();
  }
}

async function work(connectionString: string, needs: Omit<SignerNeeds, 'db'>): Promise<0 | 1> {
  const pool = makePool({ connectionString, name: 'signer', max: 1 });
  try {
    return await run({ db: pool, ...needs });
  } finally {
    await pool.end();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
} finally {
  if (process.channel) process.disconnect();
}
