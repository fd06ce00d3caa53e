import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { startProgram } from '@/lib/testing/program';
import type { SignerStep } from '@/lib/testing/programs/dying-signer';
import { appendEvents, signerFixture, type SignerFixture } from '@/lib/testing/signer-fixture';
import { checkpointLine } from '../verifier/checkpoint.mjs';

let db: TestDatabase;
let fixture: SignerFixture;
beforeEach(async () => {
  db = await testDatabase();
  fixture = signerFixture(db);
  await appendEvents(db, 2);
  await fixture.sign();
  await appendEvents(db, 2);
});
afterEach(async () => {
  fixture.remove();
  await db.drop();
});

const rememberedLine = (): string => {
  const { pending, last } = JSON.parse(
    readFileSync(path.join(fixture.folder, 'audit-signer-state.json'), 'utf8'),
  ) as { pending: string | null; last: Parameters<typeof checkpointLine>[0] };
  return pending ?? checkpointLine(last);
};

describe('a signer that is killed with kill -9', () => {
  it.each(['announced', 'half written', 'written', 'settled'] as const satisfies SignerStep[])(
    'R-087k leaves one line of checkpoints, and its next start completes the same record: %s',
    async (dieAt) => {
      const program = startProgram('dying-signer', {
        url: db.signerUrl,
        folder: fixture.folder,
        pem: fixture.pem,
        dieAt,
      });
      await expect(program.reaches('end')).rejects.toThrow('ended');
      const announced = rememberedLine();
      await appendEvents(db, 2);
      expect(await fixture.sign()).toMatchObject({ kind: 'signed', record: { sequence: '3', number: '6' } });
      const records = fixture.records();
      expect(records.map(({ sequence, number }) => `${sequence}:${number}`)).toEqual(['1:2', '2:4', '3:6']);
      expect(checkpointLine(records[1]!)).toBe(announced);
      expect(await fixture.verify()).toMatchObject({ kind: 'verified', signed: { number: 6n } });
      const { rows } = await db
        .pool('app')
        .query<{ record: string }>('select record from review.audit_checkpoints order by sequence');
      expect(rows.map(({ record }) => record)).toEqual(records.map((record) => checkpointLine(record)));
    },
  );
});
