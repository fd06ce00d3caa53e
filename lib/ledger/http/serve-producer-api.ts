import pino from 'pino';
import { pool } from '@/lib/db/pool';
import { createProducerApi } from './producer-api';

type ProducerApi = ReturnType<typeof createProducerApi>;

// Route handlers are bundled apart from each other: only globalThis makes one limiter per process.
const holder = globalThis as { onceoverProducerApi?: ProducerApi };

/** The process-wide producer API, made at its first request from the environment of this process. */
export function producerApi(): ProducerApi {
  return (holder.onceoverProducerApi ??= createProducerApi({
    pool: () => pool('producers'),
    fieldHashKey: () => fieldHashKey(),
    log: pino({ name: 'producer-api', level: process.env['LOG_LEVEL'] ?? 'info' }),
    ...limits(),
  }));
}

function fieldHashKey(): Uint8Array {
  const secret = process.env['FIELD_HASH_KEY'];
  if (!secret) throw new Error('FIELD_HASH_KEY is not set: the secret key of field hashes and cursors');
  return Buffer.from(secret, 'utf8');
}

/** `PRODUCER_RATE=200:1000` (claims per second, burst) replaces the default of the contract. */
function limits() {
  const setting = process.env['PRODUCER_RATE'];
  if (!setting) return {};
  const [, perSecond, burst] = /^([1-9]\d{0,6}):([1-9]\d{0,6})$/.exec(setting) ?? [];
  if (perSecond === undefined || burst === undefined)
    throw new Error('PRODUCER_RATE must be two numbers: per second and burst, as 200:1000');
  return { claimLimit: { perSecond: Number(perSecond), burst: Number(burst) } };
}
