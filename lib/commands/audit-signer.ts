// The signer of the audit's checkpoints: a process of its own, as the role onceover_signer, with the only private key.
import { parseArgs } from 'node:util';
import pino from 'pino';
import { makePool } from '@/lib/db/pool';
import { guardedFetch } from '@/lib/lookup/guarded-fetch';
import { loopbackPortsOf } from '@/lib/lookup/ask-connector';
import { readCommandLine } from './command-line.mjs';
import { dataDir } from './data-dir.mjs';
import { holdInstalled } from './installed-database.mjs';
import { pass, revoke, rotate, signUntil, type SignerNeeds } from './signer-process';

const USAGE = `usage: npm run audit:signer [-- --make-key] [-- --once | --rotate | --revoke KEYID [--at INSTANT]]
  Signs the head of the audit chain every AUDIT_CHECKPOINT_SECONDS (15) while there is news, into
  DATA_DIR/audit-checkpoints.jsonl. Refuses, and raises an alarm, when the log is not what it signed before.
  --make-key  makes a key in DATA_DIR when AUDIT_SIGNING_KEY is not set and none is there
  --once      one pass; exit 1 when it was refused
  --rotate    hands over to a new key: both sign, and the change is an audit event
  --revoke    what this earlier key signs counts for nothing from --at on (RFC 3339; now unless given)`;

const SECONDS = 15;
/** Milliseconds and bytes that a delivery may take. */
const DELIVERY = { timeoutMs: 5_000, maxBytes: 65_536 };

const {
  once,
  rotate: rotating,
  revoke: revoked,
  at,
  'make-key': makeKey,
} = readCommandLine(USAGE, () => {
  const { values } = parseArgs({
    options: {
      once: { type: 'boolean', default: false },
      rotate: { type: 'boolean', default: false },
      revoke: { type: 'string' },
      at: { type: 'string' },
      'make-key': { type: 'boolean', default: false },
    },
  });
  if (values.at !== undefined && Number.isNaN(Date.parse(values.at)))
    throw new Error('--at must be an instant.');
  return values;
});

const log = pino({ name: 'signer', level: process.env['LOG_LEVEL'] ?? 'info', base: null });
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => stopping.abort());
// The parent is gone, kill -9 included: so are we.
if (process.channel) process.once('disconnect', () => stopping.abort());

function delivery(url: string | undefined): ((line: string) => Promise<void>) | undefined {
  if (!url) return undefined;
  return async (line) => {
    const allowLoopback = loopbackPortsOf(process.env).has(new URL(url).port);
    const sent = await guardedFetch({ url, headers: {}, json: line, allowLoopback, ...DELIVERY });
    if (!sent.ok) throw new Error(sent.failure);
    if (sent.answer.status >= 300) throw new Error(`status ${sent.answer.status}`);
  };
}

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
      ? await pass(needs)
      : await revoke(needs, revoked, instantOf(at));
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

const url = process.env['DATABASE_SIGNER_URL'] || process.env['DATABASE_URL'];
const held = url ? null : await holdInstalled('onceover_signer');
const pool = makePool({
  connectionString: url ?? held?.url('onceover_signer') ?? '',
  name: 'signer',
  max: 1,
});
try {
  const folder = dataDir();
  const deliver = delivery(process.env['AUDIT_CHECKPOINT_WEBHOOK']);
  const place = { folder, env: process.env, make: makeKey || held !== null };
  process.exitCode = await run({ db: pool, place, log, ...(deliver ? { deliver } : {}) });
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
} finally {
  await pool.end();
  await held?.release();
  if (process.channel) process.disconnect();
}
