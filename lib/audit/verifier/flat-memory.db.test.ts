import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bulkEvents, insertBulk } from '@/lib/testing/bulk-trail';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { verifyChain } from '../verify-chain';
import { EXPORT_FORMAT } from './export-form.mjs';

const run = promisify(execFile);
const EVENTS = 100_000;
/** Fewer and longer ones, since inserting takes most of the time: as many bytes. */
const LONG_EVENTS = 20_000;
const SENTENCES = 45;
/** MiB of heap: far less than the events, and what Node needs anyhow. */
const HEAP = ['--max-old-space-size=48'];

let db: TestDatabase;
let folder: string;
beforeAll(async () => {
  db = await testDatabase();
  folder = mkdtempSync(path.join(tmpdir(), 'onceover-flat-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await db.drop();
});

describe('more events than the heap could hold', () => {
  it('R-087p a hundred thousand in an exported file verify', async () => {
    const file = path.join(folder, 'export.jsonl');
    const stream = createWriteStream(file);
    stream.write(`${JSON.stringify({ type: 'export', format: EXPORT_FORMAT })}\n`);
    for (const batch of bulkEvents(EVENTS)) {
      const lines = batch.map((event) => JSON.stringify({ type: 'event', ...event })).join('\n');
      if (!stream.write(`${lines}\n`)) await once(stream, 'drain');
    }
    stream.end(`${JSON.stringify({ type: 'end', events: EVENTS })}\n`);
    await once(stream, 'finish');
    expect(statSync(file).size).toBeGreaterThan(96 * 1024 * 1024);
    const { stdout } = await run(process.execPath, [
      ...HEAP,
      'lib/audit/verifier/main.mjs',
      '--export',
      file,
    ]);
    expect(stdout).toContain(`Each of the ${EVENTS} events (numbers 1 to ${EVENTS}) is what was hashed`);
    expect(stdout).toContain(`Every number up to ${EVENTS} is there.`);
  }, 60_000);

  it('R-087p the log itself verifies, read a bounded number of events at a time', async () => {
    await insertBulk(db.pool('superuser'), LONG_EVENTS, SENTENCES);
    const args = ['--import', 'tsx', '--conditions=react-server', 'lib/commands/audit-verify.ts'];
    const env = { ...process.env, DATABASE_URL: db.signerUrl };
    const { stdout } = await run(process.execPath, [...HEAP, ...args], { env });
    expect(stdout).toContain(`events 1 to ${LONG_EVENTS} verified against the head`);

    const sizes: number[] = [];
    const found = await verifyChain({
      query: async (text, values) => {
        const answer = await db.pool('signer').query(text, [...(values ?? [])]);
        sizes.push(answer.rows.length);
        return answer as never;
      },
    });
    expect(found).toEqual({ kind: 'verified', upTo: BigInt(LONG_EVENTS) });
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000);
  }, 120_000);
});
