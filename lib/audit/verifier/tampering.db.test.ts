import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { appendAudit } from '@/lib/db/append-audit';
import { transaction } from '@/lib/db/transaction';
import type { AuditRecord } from '@/lib/domain/audit-events';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { testContext } from '@/lib/testing/people';
import { installSecondVerifier, secondHash } from '@/lib/testing/second-verifier';
import { headOf, signedLog, type SignedLog } from '@/lib/testing/signed-log';
import { arbitraryContent } from '@/lib/testing/arbitrary-content';
import { flip, TAMPERINGS } from '@/lib/testing/tamperings';
import { verifyFirst, verifySecond } from '@/lib/testing/verify-both';
import { RECORD_COLUMNS } from '../audit-records';
import { makeSigningKey, signingKeyOf } from '../signer/signing-key';
import { auditHash } from './event-hash.mjs';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  await installSecondVerifier(db.pool('superuser'));
});
afterAll(() => db.drop());

const key = signingKeyOf(makeSigningKey());
const verify = (log: SignedLog) => verifyFirst(log, key);
const second = (log: SignedLog) => verifySecond(db.pool('superuser'), log);

/** A log with checkpoints at some of its numbers, in order. */
const logs = fc
  .tuple(fc.array(arbitraryContent, { minLength: 4, maxLength: 14 }), fc.infiniteStream(fc.nat(3)), fc.nat(4))
  .map(([contents, steps, bare]) => {
    const numbers: number[] = [];
    for (let at = 0; ;) {
      at += 1 + (steps.next().value as number);
      if (at > contents.length) break;
      numbers.push(at);
    }
    return { log: signedLog(contents, numbers, key, bare), numbers, signed: numbers.at(-1) ?? 0 };
  })
  .filter(({ signed }) => signed >= 2);

const seed = inject('fuzzSeed');

describe('a log that was touched at or before its last checkpoint', () => {
  it('R-087m an untouched one is whole, for both', async () => {
    await fc.assert(
      fc.asyncProperty(logs, async ({ log, signed }) => {
        expect(await verify(log)).toMatchObject({ kind: 'verified', signed: { number: BigInt(signed) } });
        expect(await second(log)).toBeNull();
      }),
      { numRuns: 40, seed },
    );
  });

  it.each(Object.entries(TAMPERINGS))(
    'R-087m R-087n AU-10 is found and located by both: %s',
    async (_, change) => {
      await fc.assert(
        fc.asyncProperty(logs, fc.nat(), fc.nat(), async ({ log, numbers, signed }, place, pick) => {
          const tampered = change(log, 1 + (place % signed), pick, numbers);
          fc.pre(tampered !== null);
          expect(await verify(tampered.log)).toMatchObject({
            kind: 'broken',
            fault: { number: tampered.firstBad },
          });
          expect(await second(tampered.log)).toBe(tampered.firstBad);
        }),
        { numRuns: 60, seed },
      );
    },
  );

  it('R-087m one bit of a checkpoint is found, by its line', async () => {
    await fc.assert(
      fc.asyncProperty(logs, fc.nat(), fc.nat(), fc.nat(7), async ({ log, numbers }, which, place, bit) => {
        const line = which % numbers.length;
        const lines = log.lines.with(line, flip(log.lines[line]!, place, bit));
        expect(await verify({ ...log, lines })).toMatchObject({
          kind: 'distrusted',
          fault: { line: line + 1 },
        });
      }),
      { numRuns: 300, seed },
    );
  });
});

/** The last digit of 64 bytes has four bits that no byte shows. */
const spelledAnew = (line: string) =>
  line.replace(/"signature":"[^"]*"/, (member) =>
    member.replace(/(.)==/, (_, digit: string) => `${NEXT[digit]}==`),
  );
const NEXT: Readonly<Record<string, string>> = { A: 'B', Q: 'R', g: 'h', w: 'x' };

it('R-087m bits of a checkpoint that no byte shows are found as well', async () => {
  const contents = [1, 2, 3].map((n) => ({
    actorName: 'P',
    body: `{"n":${n}}`,
    operation: null,
    actorRoles: [],
  }));
  const log = signedLog(contents, [1, 2, 3], key);
  for (const [index, line] of log.lines.entries()) {
    expect(spelledAnew(line)).not.toBe(line);
    const lines = log.lines.with(index, spelledAnew(line));
    expect(await verify({ ...log, lines })).toMatchObject({ kind: 'distrusted', fault: { line: index + 1 } });
  }
});

describe('two implementations', () => {
  it('R-087n AU-10 agree on what is stored, whatever the session’s zone, style and language', async () => {
    const names = ['각', '각'.normalize('NFD'), 'a\r\nb', '\u202eabc', '\ufeff', 'x'.repeat(65_536)];
    const superuser = db.pool('superuser');
    for (const [n, name] of names.entries()) {
      await transaction(db.pool('owner'), testContext, (tx) =>
        appendAudit(tx, {
          event: 'sweep.ran_with_changes',
          outcome: 'done',
          operation: name,
          body: { n, name },
        }),
      );
      await transaction(db.pool('owner'), testContext, (tx) =>
        tx.query(
          `select review.append_audit('sweep.ran_with_changes', 'done', null, null, null, null, null, null, null, $1::jsonb)`,
          ['{"n": 9007199254740993, "d": 1.10, "d": 1.100, "a": [1e3]}'],
        ),
      );
    }
    for (const setting of [
      `timezone = 'Asia/Seoul'`,
      `datestyle = 'German, DMY'`,
      `extra_float_digits = -15`,
    ]) {
      const client = await superuser.connect();
      await client.query(`set ${setting}`);
      const { rows } = await client.query<AuditRecord>(
        `select ${RECORD_COLUMNS} from review.audit_events order by audit_events.number`,
      );
      await client.query('reset all');
      client.release();
      expect(rows).toHaveLength(2 * names.length);
      const log = { events: rows, head: headOf(rows), lines: [] };
      expect(await verify(log)).toMatchObject({ kind: 'verified', signed: null });
      expect(await second(log)).toBeNull();
      for (const row of rows) expect(await secondHash(superuser, row)).toBe(auditHash(row));
    }
  });

  it('R-087n AU-11 tell events apart whose texts run together', async () => {
    const [base] = signedLog(
      [{ actorName: 'P', body: '{}', operation: 'x', actorRoles: ['A'] }],
      [],
      key,
    ).events;
    const pairs: [Partial<AuditRecord>, Partial<AuditRecord>][] = [
      [
        { event: 'ab', outcome: 'c' },
        { event: 'a', outcome: 'bc' },
      ],
      [{ operation: null }, { operation: '' }],
      [
        { operation: 'x', operationId: null },
        { operation: null, operationId: 'x' },
      ],
      [{ actorRoles: ['AB'] }, { actorRoles: ['A', 'B'] }],
      [{ actorRoles: [] }, { actorRoles: [''] }],
    ];
    for (const pair of pairs) {
      const [one, other] = pair.map((change) => ({ ...base!, ...change }));
      expect(auditHash(one!)).not.toBe(auditHash(other!));
      for (const event of [one!, other!])
        expect(await secondHash(db.pool('superuser'), event)).toBe(auditHash(event));
    }
  });

  it('AU-10 half a surrogate pair never has the hash of what replaces it', () => {
    const [base] = signedLog(
      [{ actorName: 'P', body: '{}', operation: null, actorRoles: [] }],
      [],
      key,
    ).events;
    expect(auditHash({ ...base!, actorName: '\ud800' })).not.toBe(
      auditHash({ ...base!, actorName: '\ufffd' }),
    );
    expect(auditHash({ ...base!, actorName: '\ud800' })).not.toBe(auditHash({ ...base!, actorName: '' }));
  });
});
