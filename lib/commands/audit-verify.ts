// `npm run audit:verify`: exit 0 when the chain is whole, 1 with the first bad number, 2 when it could not be read.
import { verifyChain, type Verification } from '@/lib/audit/verify-chain';
import { makePool, type Pool } from '@/lib/db/pool';
import type { ChainFaultReason } from '@/lib/domain/audit-chain';
import { holdDatabase } from './embedded-database.mjs';

const REASONS: Record<ChainFaultReason, string> = {
  MISSING: 'there is no event with this number',
  UNLINKED: 'it does not carry the hash of the event before it',
  CHANGED: 'its content is not what was hashed',
  UNEXPECTED: 'an event stands where none can be',
  HEAD: 'the head does not carry the hash of this event',
};

/** The outcome in words, and the exit code that goes with it. */
export function report(outcome: Verification): { text: string; exitCode: 0 | 1 } {
  switch (outcome.kind) {
    case 'verified':
      return {
        text:
          `The audit chain is whole: events 1 to ${outcome.upTo} verified against the head.\n` +
          'This proves nothing against somebody who can rewrite the whole database: no outside checkpoint was given.',
        exitCode: 0,
      };
    case 'broken':
      return {
        text: `The audit chain is broken. First bad number: ${outcome.fault.number} (${REASONS[outcome.fault.reason]}).`,
        exitCode: 1,
      };
    case 'partial':
      throw new Error('bug: a pass without a time limit stopped early');
    default:
      return outcome satisfies never;
  }
}

async function withAudit<T>(work: (pool: Pool) => Promise<T>): Promise<T> {
  const url = process.env['DATABASE_URL'];
  const held = url ? null : await holdDatabase();
  // The signer reads the audit and nothing else.
  const pool = makePool({
    connectionString: url ?? held?.url('onceover_signer') ?? '',
    name: 'audit verify',
    max: 1,
  });
  try {
    return await work(pool);
  } finally {
    await pool.end();
    await held?.release();
  }
}

if (import.meta.filename === process.argv[1]) {
  try {
    const { text, exitCode } = report(await withAudit((pool) => verifyChain(pool)));
    console.log(text);
    process.exitCode = exitCode;
  } catch (error) {
    console.error(`The audit could not be read: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 2;
  }
}
