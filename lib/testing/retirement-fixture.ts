// An audit with old events, signed and cut, and everything that retiring them needs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readHead, readRecords } from '@/lib/audit/audit-records';
import { retireAudit, type Retirement } from '@/lib/audit/retire/retire-audit';
import { readRetirements } from '@/lib/audit/retirements';
import { verifyChain } from '@/lib/audit/verify-chain';
import { type ArchivedEvents, openArchives } from '@/lib/audit/verifier/archives.mjs';
import { CheckpointTrail } from '@/lib/audit/verifier/checkpoint-trail.mjs';
import { readLines } from '@/lib/audit/verifier/read-lines.mjs';
import type { Verification } from '@/lib/audit/verifier/verify-log.mjs';
import { appendAudit, type AuditEntry } from '@/lib/db/append-audit';
import { transaction } from '@/lib/db/transaction';
import { testDatabase, type TestDatabase } from './database';
import { testContext } from './people';
import { installSecondVerifier, secondFirstBad } from './second-verifier';
import { signerFixture, type SignerFixture } from './signer-fixture';

export interface RetirementFixture {
  db: TestDatabase;
  signer: SignerFixture;
  /** Of the archives. */
  folder: string;
  append: (count: number, entry?: Partial<AuditEntry>) => Promise<void>;
  /** Ends the open partition at the head; the next event comes when another month has passed, and the signer signs both. */
  cut: (next?: string) => Promise<bigint>;
  signUp: () => Promise<void>;
  retire: (upTo?: bigint) => Promise<Retirement>;
  /** While no signer runs. */
  retireAlone: (upTo?: bigint) => Promise<Retirement>;
  /** The signer answers proposals until something is done. */
  answerWhile: <T>(work: Promise<T>) => Promise<T>;
  /** The log that stays, or with its archives in front, against the published checkpoints; both implementations have to agree. */
  verify: (archives?: ArchivedEvents) => Promise<Verification>;
  numbers: () => Promise<{ first: string | null; count: number }>;
  close: () => Promise<void>;
}

/** When its first events happened: old enough `LATELY` and by `NOW`; what happened lately is not. */
export const LONG_AGO = '2025-01-05T08:00:00Z';
const LATELY = '2026-11-10T08:00:00Z';
export const NOW = '2026-11-29T08:00:00Z';

export async function retirementFixture(): Promise<RetirementFixture> {
  const db = await testDatabase();
  await db.setClock(LONG_AGO);
  await installSecondVerifier(db.pool('superuser'));
  const signer = signerFixture(db);
  const folder = mkdtempSync(path.join(tmpdir(), 'onceover-archives-'));
  const checkpoints = signer.signer.files.checkpoints;
  const append: RetirementFixture['append'] = async (count, entry = {}) => {
    for (let n = 1; n <= count; n += 1)
      await transaction(db.pool('owner'), testContext, (tx) =>
        appendAudit(tx, { event: 'exception.commented', outcome: 'done', body: { n }, ...entry }),
      );
  };
  const signUp = async () => {
    for (let pass = await signer.sign(); pass.kind !== 'nothing-new'; pass = await signer.sign())
      if (pass.kind === 'alarm') throw new Error(pass.alarm.code);
  };
  const retireAlone: RetirementFixture['retireAlone'] = (upTo) =>
    retireAudit({
      owner: db.pool('owner'),
      context: testContext,
      checkpoints,
      keys: null,
      folder,
      upTo: upTo ?? null,
      signerMs: 5_000,
    });
  const isAsked = async () => {
    const { rowCount } = await db.pool('owner').query(
      `select from review.audit_retirement_proposals
        where last_number > (select coalesce(max(last_number), 0) from review.audit_retirements)
          and not review.is_retirement_signed(last_number, archive, sha256)`,
    );
    return (rowCount ?? 0) > 0;
  };
  const answerWhile: RetirementFixture['answerWhile'] = async (work) => {
    const going = Symbol('going');
    const settled = work.then(
      () => null,
      () => null,
    );
    while ((await Promise.race([settled, sleep(20, going)])) === going)
      if (await isAsked()) await signer.sign();
    return work;
  };
  return {
    db,
    signer,
    folder,
    append,
    signUp,
    cut: async (next = LATELY) => {
      const last = await transaction(db.pool('owner'), testContext, (tx) =>
        tx.query<{ last: string }>('select review.cut_audit(0)::text as last'),
      );
      await signUp();
      await db.setClock(next);
      await append(1);
      await signUp();
      return BigInt(last.rows[0]?.last ?? 0);
    },
    answerWhile,
    retireAlone,
    retire: (upTo) => answerWhile(retireAlone(upTo)),
    verify: async (archives) => {
      const pool = db.pool('signer');
      const openTrail = () => new CheckpointTrail({ lines: readLines(checkpoints), keys: null });
      const found = await verifyChain(pool, { openTrail, ...(archives ? { archives } : {}) });
      const events = await readRecords(pool, null, 100_000);
      const old = [];
      for await (const batch of archives?.batches() ?? []) old.push(...batch);
      const second = await secondFirstBad(db.pool('superuser'), {
        events: [...old, ...events],
        head: (await readHead(pool)).head ?? { number: 0n, hash: '' },
        checkpoints: signer.records().map((record) => ({ ...record, number: BigInt(record.number) })),
        retirements: await readRetirements(pool),
        whole: archives !== undefined,
      });
      const first = found.kind === 'broken' ? found.fault.number : null;
      if (second !== first) throw new Error(`the second implementation says ${second}, the first ${first}`);
      return found;
    },
    numbers: async () => {
      const { rows } = await db.pool('app').query<{
        first: string | null;
        count: number;
      }>('select min(number)::text as first, count(*)::int as count from review.audit_events');
      return rows[0] ?? { first: null, count: 0 };
    },
    close: async () => {
      signer.remove();
      rmSync(folder, { recursive: true, force: true });
      await db.drop();
    },
  };
}

/** All archives of the fixture, read again. */
export const archivesOf = ({ folder }: RetirementFixture): Promise<ArchivedEvents> => openArchives(folder);
