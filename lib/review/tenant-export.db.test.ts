// What a manager of one of two tenants can show to somebody else, from the file alone.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRecords } from '@/lib/audit/audit-records';
import { signRecord } from '@/lib/audit/signer/signing-key';
import { checkpointLine } from '@/lib/audit/verifier/checkpoint.mjs';
import { verifyFile } from '@/lib/audit/verifier/main.mjs';
import { reportExport } from '@/lib/audit/verifier/report.mjs';
import { verifyExport } from '@/lib/audit/verifier/verify-export.mjs';
import { appendAudit } from '@/lib/db/append-audit';
import { transaction } from '@/lib/db/transaction';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { actorOf, makePerson, makeTenants, testContext } from '@/lib/testing/people';
import { installSecondInclusion, secondBadExport } from '@/lib/testing/second-inclusion';
import { installSecondVerifier } from '@/lib/testing/second-verifier';
import { signNumbers } from '@/lib/testing/signed-log';
import { signerFixture, tamper, type SignerFixture } from '@/lib/testing/signer-fixture';
import { ANY_AUDIT_EVENT, type AuditFilter } from './audit-filter';
import type { DeskContext } from './desk-context';
import { exportAudit } from './export-audit';

let db: TestDatabase;
let signer: SignerFixture;
let manager: DeskContext;
/** Events that were there already: what is called by its number of ours here has another one in the log. */
let before: number;
const EVENTS = 420;
const BARE = 3;

const add = (n: number): Promise<string> =>
  transaction(db.pool('owner'), testContext, (tx) =>
    appendAudit(tx, {
      event: 'exception.commented',
      outcome: 'done',
      tenantId: n % 3 === 0 ? 'tenant-south' : 'tenant-north',
      operation: n % 50 === 1 ? 'rare' : 'usual',
      body: { n, words: n % 3 === 0 ? 'CANARY-SOUTH' : 'seen' },
    }),
  );
beforeAll(async () => {
  process.env['FIELD_HASH_KEY'] = 'a key of the test';
  db = await testDatabase();
  await installSecondVerifier(db.pool('superuser'));
  await installSecondInclusion(db.pool('superuser'));
  signer = signerFixture(db);
  await makeTenants(db, 'tenant-north', 'tenant-south');
  const id = await makePerson(db, {
    email: 'm@demo.local',
    roles: ['MANAGER'],
    tenantIds: ['tenant-north'],
  });
  const context = { ...testContext, actor: { kind: 'person' as const, id } };
  manager = { actor: await actorOf(db, id), pool: db.pool('app'), context };
  for (let n = 1; n <= EVENTS; n += 1) {
    const number = await add(n);
    if (n === 1) before = Number(number) - 1;
    // The first record is from before there were trees; then trees of many sizes, all but one with the other tenant's event at its end.
    if (n === BARE) await signBare();
    else if ((n % 3 === 0 && n < 40) || [101, 150, EVENTS].includes(n)) await signer.sign();
  }
});
async function signBare(): Promise<void> {
  const { files, key } = signer.signer;
  const events = await readRecords(db.pool('signer'), null, 100);
  for (const record of signNumbers(events, [events.length], key)) files.append(files.readState(), record);
}
afterAll(async () => {
  signer.remove();
  await db.drop();
});

async function exported(filter: Partial<AuditFilter> = {}): Promise<string[]> {
  const answer = await exportAudit(manager, { ...ANY_AUDIT_EVENT, ...filter }, 'jsonl');
  if (answer.kind !== 'export') throw new Error(answer.kind);
  return (await new Response(answer.stream).text()).trimEnd().split('\n');
}
interface Line {
  type: string;
  number: string;
  tenantId: string | null;
  operation: string | null;
  inclusion: object | null;
}
const parsed = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Line);
const keys = () => {
  const { keyId, publicKey } = signer.signer.key;
  return [{ keyId, publicKey, revokedAt: null }];
};
const second = (lines: readonly string[]) => secondBadExport(db.pool('superuser'), lines);
const numberOf = (n: number) => String(before + n);
const isNorth = (n: number) => n % 3 !== 0;
const seen = (after: number) =>
  Array.from({ length: EVENTS - after }, (_, at) => after + at + 1).filter(isNorth).length;
/** Those that the manager sees and that a tree covers. */
const signed = () => seen(BARE);

describe('an export of a manager of one of two tenants', { timeout: 60_000 }, () => {
  it('R-088u AU-10 AU-17 is proven from the file alone, by both implementations, though every checkpoint is over what is hidden', async () => {
    const lines = await exported();
    expect(lines.join('\n')).not.toContain('CANARY-SOUTH');
    const events = parsed(lines).filter(({ type }) => type === 'event');
    expect(events.filter(({ inclusion }) => inclusion !== null)).toHaveLength(signed());
    const found = await verifyExport(lines, keys());
    expect(found).toMatchObject({
      kind: 'verified',
      // The last one is the export's own, which nobody has signed yet.
      proof: { events: before + seen(0) + 1, signed: signed(), ways: signed(), complete: false },
    });
    expect(reportExport(found).text).toContain(
      `${signed()} of these carry their own way to a signed root, whatever stands between and is not shown.`,
    );
    expect(await second(lines)).toBeNull();
  });

  it('R-088u so is what a filter leaves of it, with no more records than its events need', async () => {
    const lines = await exported({ operations: ['rare'] });
    const rare = parsed(lines).filter(({ operation }) => operation === 'rare');
    const found = await verifyExport(lines, keys());
    expect(found).toMatchObject({
      kind: 'verified',
      proof: { events: rare.length, signed: rare.length - 1, ways: rare.length - 1 },
    });
    expect(await second(lines)).toBeNull();
    // The first key, and the two long trees.
    expect(parsed(lines).filter(({ type }) => type === 'key' || type === 'checkpoint')).toHaveLength(3);
  });

  it('R-088u AU-10 each event that was touched is located, by both, and the file is refused', async () => {
    const lines = await exported();
    for (const number of [1, 38, 200].map(numberOf)) {
      const at = parsed(lines).findIndex((line) => line.type === 'event' && line.number === number);
      const changed = lines.with(at, lines[at]!.replace('"actorName":"', '"actorName":"X'));
      expect(changed[at]).not.toBe(lines[at]);
      expect(await verifyExport(changed, keys())).toEqual({
        kind: 'broken',
        fault: { number: BigInt(number), reason: 'CHANGED' },
      });
      expect(await second(changed)).toBe(BigInt(number));
    }
  });

  it('R-088u held against the published checkpoints it says how far they agree, and finds others', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'onceover-tenant-'));
    const place = (name: string, lines: readonly string[]) => {
      const file = path.join(folder, name);
      writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
      return file;
    };
    try {
      const file = place('export.jsonl', await exported({ until: '2020-01-01', operations: ['rare'] }));
      expect((await verifyFile({ export: file })).exitCode).toBe(0);
      const rare = place('rare.jsonl', await exported({ operations: ['rare'] }));
      const checkpoints = signer.signer.files.checkpoints;
      const { text, exitCode } = await verifyFile({ export: rare, checkpoints });
      expect(exitCode).toBe(0);
      expect(text).toContain(
        `It agrees with the checkpoints given, the last of them at number ${numberOf(EVENTS)}, signed at`,
      );
      // The same place signed twice by the same key: one of two stories is hidden from somebody.
      const { signature: _, newSignature: __, ...last } = signer.records().at(-1)!;
      const tree = { ...last.tree!, root: 'a'.repeat(64) };
      const fork = checkpointLine(signRecord(signer.signer.key, { ...last, tree })).trimEnd();
      const others = signer.records().map((record) => checkpointLine(record).trimEnd());
      const forked = await verifyFile({
        export: rare,
        checkpoints: place('fork.jsonl', others.with(-1, fork)),
      });
      expect(forked).toMatchObject({
        exitCode: 1,
        text: expect.stringContaining('from here to the next checkpoint') as unknown,
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('R-088u AU-10 what was changed out of sight is not seen in the file, and is found in the log', async () => {
    const honest = await exported();
    const nine = numberOf(9);
    await tamper(db, `update review.audit_events set operation = 'other' where number = ${nine}`);
    try {
      const lines = await exported();
      expect(await verifyExport(lines, keys())).toMatchObject({
        kind: 'verified',
        proof: { signed: signed() },
      });
      expect(await second(lines)).toBeNull();
      expect(await signer.verify()).toMatchObject({ kind: 'broken', fault: { number: BigInt(nine) } });
      // With its hash it takes the ways of its neighbours along: they lead to a root that nobody signed.
      await tamper(db, `update review.audit_events set hash = sha256('other') where number = ${nine}`);
      const rehashed = await exported();
      expect(await verifyExport(rehashed, keys())).toEqual({
        kind: 'broken',
        fault: { number: BigInt(numberOf(7)), reason: 'PROOF' },
      });
      expect(await second(rehashed)).toBe(BigInt(numberOf(7)));
      expect(await verifyExport(honest, keys())).toMatchObject({ kind: 'verified' });
    } finally {
      await tamper(
        db,
        `update review.audit_events set operation = 'usual' where number = ${nine};
         update review.audit_events e set hash = n.previous_hash from review.audit_events n where n.number = ${nine} + 1 and e.number = ${nine}`,
      );
    }
    // Where an event is gone, the ways of its neighbours lead elsewhere as well.
    await tamper(db, `delete from review.audit_events where number = ${numberOf(12)}`);
    const holed = await exported();
    expect(await verifyExport(holed, keys())).toEqual({
      kind: 'broken',
      fault: { number: BigInt(numberOf(10)), reason: 'PROOF' },
    });
    expect(await second(holed)).toBe(BigInt(numberOf(10)));
  });
});
