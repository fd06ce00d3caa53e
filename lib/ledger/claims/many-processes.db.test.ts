import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startClaimers, type Claimers } from '@/lib/testing/claimers';
import { DOORS } from '@/lib/testing/doors/open';
import { worldOfFile } from '@/lib/testing/every-door';

/** Processes and equal claims of each: enough to meet in the database from several sides at once. */
const PROCESSES = 3;
const CLAIMS_EACH = 8;

const world = worldOfFile();
let claimers: Claimers;
beforeAll(async () => {
  claimers = await startClaimers(PROCESSES, world().ledger);
}, 60_000);
afterAll(() => claimers.stop());

describe.each(DOORS)('through %s', (name) => {
  it(`R-010a R-015b LC-01 of ${PROCESSES * CLAIMS_EACH} equal claims at once from ${PROCESSES} processes one gets the work`, async () => {
    const sent = { operation: world().fresh('race'), key: 'K-race' };
    const answers = await claimers.race({ door: name, sent, count: CLAIMS_EACH });
    const words = answers.map((answer) => answer.word).sort();
    expect(words).toEqual(['CLAIMED', ...Array<string>(words.length - 1).fill('REQUEST_IN_PROGRESS')]);
    expect(answers).toHaveLength(PROCESSES * CLAIMS_EACH);
    expect(new Set(answers.map((answer) => answer.executionId)).size).toBe(1);
    expect(await world().row(sent)).toMatchObject({ attempt: 1, fencing_token: '1' });
    const kept = await world().dispositions(sent);
    expect(kept.filter((disposition) => disposition === 'CLAIMED')).toHaveLength(1);
    expect(kept).toHaveLength(answers.length);
  });
});

describe('one key through every door', () => {
  it('R-002d R-011 R-012a what one door began all others hold, refuse and replay', async () => {
    for (const first of DOORS) {
      const sent = { operation: world().fresh('shared'), key: 'K-1' };
      const { executionId, fencingToken } = await world().started(world().door(first), sent);
      for (const name of DOORS) {
        const door = world().door(name);
        expect(await door.claim(sent), `${first}, ${name}`).toMatchObject({
          word: 'REQUEST_IN_PROGRESS',
          executionId,
        });
        expect(await door.claim({ ...sent, content: { amount: 900 } })).toMatchObject({
          word: 'IDEMPOTENCY_KEY_REUSED',
        });
      }
      const done = {
        fencingToken,
        resultId: world().fresh('R'),
        response: { status: 201, body: '{"id":"O-9"}' },
      };
      await world().door(first).report('complete', executionId, done);
      for (const name of DOORS)
        expect(await world().door(name).claim(sent), `${first}, ${name}`).toEqual({
          word: 'REPLAYED',
          executionId,
          replay: { status: 201, location: null, body: '{"id":"O-9"}' },
        });
    }
  });
});
