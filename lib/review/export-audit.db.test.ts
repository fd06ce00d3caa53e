import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportExport, withKeys } from '@/lib/audit/verifier/report.mjs';
import { verifyExport } from '@/lib/audit/verifier/verify-export.mjs';
import { appendAudit, type AuditEntry } from '@/lib/db/append-audit';
import { transaction } from '@/lib/db/transaction';
import type { Role } from '@/lib/domain/actor';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { actorOf, makePerson, makeTenants, testContext } from '@/lib/testing/people';
import { signerFixture, type SignerFixture } from '@/lib/testing/signer-fixture';
import { ANY_AUDIT_EVENT, type AuditFilter } from './audit-filter';
import type { DeskContext } from './desk-context';
import { exportAudit, type ExportFormat } from './export-audit';

const run = promisify(execFile);
let db: TestDatabase;
let signer: SignerFixture;
const NASTY = '=HYPERLINK("http://evil")\r\n\u202e"</script>\u0007, 각';

beforeAll(async () => {
  process.env['FIELD_HASH_KEY'] = 'a key of the test';
  db = await testDatabase();
  signer = signerFixture(db);
  await makeTenants(db, 'tenant-north', 'tenant-south');
  for (let n = 1; n <= 230; n += 1) {
    await add({
      tenantId: 'tenant-north',
      operation: n === 7 ? NASTY : 'create-order',
      body: { n, words: 'CANARY' },
    });
    if (n === 100 || n === 205) {
      await add({ tenantId: 'tenant-south', operation: 'create-invoice' });
      await signer.sign();
    }
    if (n === 203) await signer.sign();
  }
});
afterAll(async () => {
  signer.remove();
  await db.drop();
});

const add = (entry: Partial<AuditEntry>) =>
  transaction(db.pool('owner'), testContext, (tx) =>
    appendAudit(tx, { event: 'exception.commented', outcome: 'done', ...entry }),
  );
let people = 0;
async function as(roles: Role[], tenantIds = ['tenant-north']): Promise<DeskContext> {
  const personId = await makePerson(db, { email: `p${++people}@demo.local`, roles, tenantIds });
  const context = { ...testContext, actor: { kind: 'person' as const, id: personId } };
  return { actor: await actorOf(db, personId), pool: db.pool('app'), context };
}
async function read(ctx: DeskContext, format: ExportFormat, filter: Partial<AuditFilter> = {}) {
  const answer = await exportAudit(ctx, { ...ANY_AUDIT_EVENT, ...filter }, format);
  if (answer.kind !== 'export') throw new Error(answer.kind);
  return { name: answer.name, text: Buffer.from(await new Response(answer.stream).arrayBuffer()).toString() };
}
const eventsOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map(
      (line) =>
        JSON.parse(line) as { type: string; number: string; tenantId: string | null; operation: string },
    )
    .filter(({ type }) => type === 'event');
const verify = (text: string) => verifyExport(text.split('\n').slice(0, -1), null);

describe('an export of the audit', () => {
  it('R-088c AU-17 R-098d holds what the person sees, up to its own record, in order', async () => {
    const { name, text } = await read(await as(['MANAGER']), 'jsonl');
    const events = eventsOf(text);
    expect(events.filter(({ tenantId }) => tenantId === 'tenant-north')).toHaveLength(230);
    expect(events.some(({ tenantId }) => tenantId === 'tenant-south')).toBe(false);
    expect(events.map(({ number }) => Number(number))).toEqual(
      events.map(({ number }) => Number(number)).sort((a, b) => a - b),
    );
    expect(events.at(-1)).toMatchObject({ event: 'audit.exported', number: name.replace(/\D/g, '') });
    expect(await verify(text)).toMatchObject({
      kind: 'verified',
      // All that the last checkpoint, which is over the other tenant's event, and those before it cover.
      proof: { events: events.length, complete: false, signed: 205, keyId: signer.signer.key.keyId },
    });
  });

  it('R-088c of everything is complete, and leads to the last checkpoint', async () => {
    const manager = await as(['MANAGER', 'ADMIN'], ['tenant-north', 'tenant-south']);
    await signer.sign();
    const { text } = await read(manager, 'jsonl');
    const found = await verify(text);
    expect(found).toMatchObject({ kind: 'verified', proof: { complete: true, first: 1n } });
    if (found.kind !== 'verified') throw new Error('unreachable');
    expect(found.proof.events - found.proof.signed).toBe(1);
  });

  it('R-088c AU-10 is verified from its own bytes with Node alone, and every touched event is named', async () => {
    const { text } = await read(await as(['MANAGER'], ['tenant-north', 'tenant-south']), 'jsonl');
    const folder = mkdtempSync(path.join(tmpdir(), 'onceover-export-'));
    try {
      cpSync('lib/audit/verifier', path.join(folder, 'verifier'), { recursive: true });
      const file = path.join(folder, 'export.jsonl');
      const alone = (content: string) => {
        writeFileSync(file, content);
        return run(process.execPath, ['verifier/main.mjs', '--export', file], {
          cwd: folder,
          env: { NODE_ENV: 'test' },
        }).then(
          ({ stdout }) => stdout,
          ({ code, stdout }: { code: number; stdout: string }) => `${code} ${stdout}`,
        );
      };
      const whole = await alone(text);
      expect(whole).toContain('is what was hashed when it was recorded');
      // Rewritten and signed anew with another key it would hold together as well, and that is said.
      expect(whole.trimEnd().split('\n').at(-1)).toMatch(
        /^Not verified against a key of yours: nobody but what was verified itself vouches for the key/,
      );
      const pinned = { text: whole, exitCode: 0 } as const;
      expect(withKeys(pinned, { keys: 'keys.json', isSigned: true })).toBe(pinned);
      expect(await alone(text.replace('{\\"n\\": 9,', '{\\"n\\": 8,'))).toContain(
        '1 The export is not what was recorded. First bad number: 9 ',
      );
      const lines = text.split('\n');
      const at = lines.findIndex((line) => line.includes('"number":"12"'));
      expect(await alone(lines.toSpliced(at, 1).join('\n'))).toContain('1 The file is no whole export');
      expect(await alone(lines.slice(0, -2).join('\n') + '\n')).toContain('1 The file is no whole export');
      const forged = text.replace(/("type":"key".*"signature":")..../, '$1AAAA');
      expect(await alone(forged)).toContain('its signature does not fit');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('R-088c a filtered one holds together, and says what it cannot show', async () => {
    const { text } = await read(await as(['MANAGER']), 'jsonl', { operations: ['create-order'] });
    const found = await verify(text);
    expect(found).toMatchObject({
      kind: 'verified',
      proof: { events: 229, complete: false, signed: 229, ways: 229 },
    });
    expect(reportExport(found).text).toContain(
      'that nothing was left out between the others, this file cannot show',
    );
    const narrow = await verify((await read(await as(['MANAGER']), 'jsonl', { operations: [NASTY] })).text);
    expect(narrow).toMatchObject({ kind: 'verified', proof: { events: 1, links: 0, signed: 1 } });
    expect(reportExport(narrow).text).toContain('1 of these carries its own way to a signed root');
  });

  it('R-088c AU-13 AU-14 CSV starts no formula, one event is one record, and controls stay inside their cell', async () => {
    const { text } = await read(await as(['MANAGER']), 'csv', { operations: [NASTY] });
    expect(text.startsWith('\ufeff"number","eventId","occurredAt"')).toBe(true);
    expect(text).toContain(`"'=HYPERLINK(""http://evil"")\r\n\u202e""</script>\u0007, 각"`);
    // The header, the one event with its line break inside a cell, and the end.
    expect(text.replace(/"(?:[^"]|"")*"/g, '').split('\r\n')).toHaveLength(3);
  });

  it('R-088d is the managers’ alone, by their roles of this moment; a refusal is on record', async () => {
    const manager = await as(['MANAGER']);
    for (const ctx of [await as(['OPERATOR', 'APPROVER']), await as(['ADMIN'])])
      expect(await exportAudit(ctx, ANY_AUDIT_EVENT, 'csv')).toEqual({ kind: 'refused' });
    await transaction(db.pool('owner'), testContext, (tx) =>
      tx.query(`update review.people set roles = '{OPERATOR}' where person_id = $1`, [
        manager.actor.personId,
      ]),
    );
    expect(await exportAudit(manager, ANY_AUDIT_EVENT, 'csv')).toEqual({ kind: 'refused' });
    const { rows } = await db
      .pool('app')
      .query(`select outcome, refusal_code, body from review.audit_events where actor_id = $1`, [
        manager.actor.personId,
      ]);
    expect(rows).toEqual([
      { outcome: 'refused', refusal_code: 'ROLE_MISSING', body: '{"format": "csv", "authoritiesThen": []}' },
    ]);
  });

  it('R-088d AU-17 is on record before its first byte, with the filters and not with what was looked for', async () => {
    const manager = await as(['MANAGER']);
    const answer = await exportAudit(
      manager,
      { ...ANY_AUDIT_EVENT, text: 'a secret name', events: ['exception.commented'] },
      'jsonl',
    );
    const { rows } = await db
      .pool('app')
      .query(`select event, outcome, body from review.audit_events where actor_id = $1`, [
        manager.actor.personId,
      ]);
    expect(rows).toEqual([
      {
        event: 'audit.exported',
        outcome: 'done',
        body: '{"format": "jsonl", "filters": ["events", "text"], "authoritiesThen": []}',
      },
    ]);
    if (answer.kind === 'export') await answer.stream.cancel();
  });

  it('R-088d two run at once, a third waits its turn; one that is broken off gives its place back', async () => {
    const manager = await as(['MANAGER']);
    const start = () => exportAudit(manager, ANY_AUDIT_EVENT, 'csv');
    const [one, two] = [await start(), await start()];
    expect(await start()).toEqual({ kind: 'busy' });
    if (one.kind !== 'export' || two.kind !== 'export') throw new Error('unreachable');
    await one.stream.cancel();
    const third = await start();
    expect(third.kind).toBe('export');
    await new Response(two.stream).text();
    if (third.kind === 'export') await new Response(third.stream).text();
    expect((await read(manager, 'csv')).text).toContain('audit.exported');
  });
});
