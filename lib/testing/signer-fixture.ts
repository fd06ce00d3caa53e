// A signer with its own folder beside a test database, and what somebody with every right can do to the log.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Signer } from '@/lib/audit/signer/judge-head';
import { signHead, type Pass } from '@/lib/audit/signer/sign-head';
import { SignerFiles } from '@/lib/audit/signer/signer-files';
import { makeSigningKey, signingKeyOf } from '@/lib/audit/signer/signing-key';
import { verifyChain } from '@/lib/audit/verify-chain';
import { parseCheckpoint, type CheckpointRecord } from '@/lib/audit/verifier/checkpoint.mjs';
import { CheckpointTrail } from '@/lib/audit/verifier/checkpoint-trail.mjs';
import type { KnownKey } from '@/lib/audit/verifier/key-ring.mjs';
import { readLines } from '@/lib/audit/verifier/read-lines.mjs';
import type { Verification } from '@/lib/audit/verifier/verify-log.mjs';
import { appendAudit } from '@/lib/db/append-audit';
import { transaction } from '@/lib/db/transaction';
import type { TestDatabase } from './database';
import { testContext } from './people';

export interface SignerFixture {
  folder: string;
  signer: Signer;
  pem: string;
  sign: () => Promise<Pass>;
  records: () => CheckpointRecord[];
  /** The log against the published file. */
  verify: (keys?: readonly KnownKey[] | null) => Promise<Verification>;
  remove: () => void;
}

export function signerFixture(db: TestDatabase): SignerFixture {
  const folder = mkdtempSync(path.join(tmpdir(), 'onceover-signer-'));
  const files = new SignerFiles(folder);
  const pem = makeSigningKey();
  // A test's clock is the clock of everybody in it.
  const now = async () => {
    const { rows } = await db
      .pool('signer')
      .query<{ at: string }>(
        `select to_char(ledger.clock() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`,
      );
    return rows[0]?.at ?? '';
  };
  const signer: Signer = { db: db.pool('signer'), files, key: signingKeyOf(pem), now };
  return {
    folder,
    signer,
    pem,
    sign: () => signHead(signer),
    records: () =>
      readFileSync(files.checkpoints, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => {
          const record = parseCheckpoint(line);
          if (record === null) throw new Error(`no record: ${line}`);
          return record;
        }),
    verify: (keys = null) =>
      verifyChain(db.pool('signer'), {
        openTrail: () => new CheckpointTrail({ lines: readLines(files.checkpoints), keys }),
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export async function appendEvents(db: TestDatabase, count: number): Promise<void> {
  for (let n = 1; n <= count; n += 1) {
    await transaction(db.pool('owner'), testContext, (tx) =>
      appendAudit(tx, { event: 'sweep.ran_with_changes', outcome: 'done', body: { n } }),
    );
  }
}

/** What only a superuser can do: triggers off, then the statements. */
export async function tamper(db: TestDatabase, sql: string): Promise<void> {
  await db.pool('superuser').query(`
    alter table review.audit_events disable trigger all; alter table review.audit_head disable trigger all;
    ${sql};
    alter table review.audit_events enable trigger all; alter table review.audit_head enable trigger all;`);
}

/** Computes every hash from a number on anew, and the head: the chain by itself is whole again. */
export const REHASHED = `do $$ declare r review.audit_events; last bytea := decode(repeat('00', 32), 'hex'); begin
  for r in select * from review.audit_events order by number loop
    r.previous_hash := last; last := review.audit_hash(r);
    update review.audit_events set previous_hash = r.previous_hash, hash = last where number = r.number;
  end loop; update review.audit_head set hash = last, number = (select max(number) from review.audit_events); end $$`;
