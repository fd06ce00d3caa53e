import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProblemCode } from '@/lib/domain/problem-codes';
import { claimed, lost, problem, request, scripted, type Step } from '@/lib/testing/scripted-ledger';

const README = readFileSync(path.join(import.meta.dirname, '../README.md'), 'utf8');

/** One row of the README's table "Which failures keep the key". */
const rowAbout = (words: string) =>
  README.split('\n').find((line) => line.startsWith('|') && line.includes(words)) ?? '';

const once =
  (code: ProblemCode, extras: object = {}): Step =>
  () =>
    problem(code, {}, { executionId: '00000000-0000-4000-8000-000000000001', ...extras });

describe('B-77 which failures keep the key', () => {
  it.each<[string, Step, boolean]>([
    ['429', once('RATE_LIMITED'), false],
    ['503', once('DATABASE_UNAVAILABLE'), false],
    ['lost connection', lost, false],
    ['`REQUEST_IN_PROGRESS`', once('REQUEST_IN_PROGRESS', { retryAfterSeconds: 1 }), true],
    ['`SINGLE_EXECUTOR_BUSY`', once('SINGLE_EXECUTOR_BUSY', { retryAfterSeconds: 1 }), true],
  ])('B-77 R-034 after %s the same key is sent again', async (words, step, wait) => {
    expect(rowAbout(words)).toMatch(/\| the same \|$/);
    const { sent, claim } = scripted([step, claimed]);
    expect(await claim({ wait })).toMatchObject({ kind: 'CLAIMED' });
    expect(sent.map(({ headers }) => headers['Idempotency-Key'])).toEqual(['"K-1"', '"K-1"']);
  });

  it.each<[string, ProblemCode]>([
    ['400', 'INVALID_REQUEST'],
    ['422', 'UNPROCESSABLE'],
    ['`IDEMPOTENCY_KEY_REUSED`', 'IDEMPOTENCY_KEY_REUSED'],
  ])(
    'B-77 R-034 after %s nothing is sent again, and corrected content goes under a new key',
    async (words, code) => {
      expect(rowAbout(words)).toContain('| a new one, if it is new work |');
      const { sent, client, clock } = scripted([once(code), claimed]);
      expect(await clock.run(client.claim(request))).toMatchObject({ kind: 'REFUSED', code });
      expect(sent).toHaveLength(1);
      await clock.run(client.claim({ ...request, key: 'K-2' }));
      expect(sent.map(({ headers }) => headers['Idempotency-Key'])).toEqual(['"K-1"', '"K-2"']);
      expect(sent[1]?.body['attemptId']).not.toBe(sent[0]?.body['attemptId']);
    },
  );

  it.each<[string, ProblemCode]>([
    ['`RECONCILE_REQUIRED`', 'RECONCILE_REQUIRED'],
    ['`IDEMPOTENCY_KEY_EXPIRED`', 'IDEMPOTENCY_KEY_EXPIRED'],
  ])('B-77 R-034 after %s nothing is sent, under no key', async (words, code) => {
    expect(rowAbout(words)).toContain('| none: the doubt is settled first |');
    const { sent, claim } = scripted([once(code)]);
    expect(await claim({ wait: true })).toMatchObject({
      kind: 'REFUSED',
      code,
      executionId: '00000000-0000-4000-8000-000000000001',
    });
    expect(sent).toHaveLength(1);
  });

  it('B-77 R-034 a superseded key is answered with the new one', async () => {
    expect(rowAbout('`IDEMPOTENCY_KEY_SUPERSEDED`')).toContain('`newKey`');
    const { claim } = scripted([once('IDEMPOTENCY_KEY_SUPERSEDED', { newKey: 'reissue-e-1' })]);
    expect(await claim()).toMatchObject({ kind: 'REFUSED', problem: { newKey: 'reissue-e-1' } });
  });
});
