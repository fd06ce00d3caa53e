// What really happened outside: the systems' own journals, and whether a claim about them was true when it was made. Pure
// but for reading the files.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { SYSTEM_NAMES } from '@/lib/sandbox/settings';
import type { Case } from './cases';

/** Something that exists outside, or did. Instants are milliseconds. */
export interface Thing {
  readonly id: string;
  /** The execution key under which it was made. */
  readonly reference: string;
  readonly account: string;
  readonly at: number;
  readonly visibleAt: number;
  readonly amount: number | null;
  readonly method: string | null;
  /** When it was deleted, or given back; null: it was not. */
  readonly goneAt: number | null;
  readonly reversedAt: number | null;
}

/** What evidence says, made of an answer that was given between two instants. */
export interface Claim {
  readonly says: 'APPLIED' | 'NOT_APPLIED' | 'REVERSED' | 'SEVERAL' | 'OTHER_THING';
  /** Milliseconds: the question was asked after the first and answered before the second. */
  readonly from: number;
  readonly to: number;
  readonly resultId: string | null;
}

const entrySchema = z
  .object({
    type: z.string(),
    id: z.string().optional(),
    at: z.string().optional(),
    visibleAt: z.string().optional(),
    reference: z.string().optional(),
    externalReference: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    account: z.string().optional(),
    amount: z.number().optional(),
    method: z.string().optional(),
  })
  .loose();

const MADE = new Set(['record', 'message', 'payment']);

/**
 * What the systems' own files tell of, whole lines alone.
 * @param about only what stands on lines that hold one of these texts; reversals and deletions name ids alone
 */
export function readThings(folder: string, about: readonly string[] = ['']): Thing[] {
  return SYSTEM_NAMES.flatMap((system) => {
    const text = readFileSync(path.join(folder, 'sandbox', `${system}.jsonl`), 'utf8');
    const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
    const told = lines.filter((line) => line !== '' && about.some((text) => line.includes(text)));
    return thingsOf(told.map((line) => JSON.parse(line) as unknown));
  });
}

export function thingsOf(entries: readonly unknown[]): Thing[] {
  const things = new Map<string, Thing>();
  for (const raw of entries) {
    const entry = entrySchema.parse(raw);
    const { id = '', at = '' } = entry;
    const known = things.get(id);
    if (MADE.has(entry.type)) {
      things.set(id, {
        id,
        reference: entry.reference ?? entry.externalReference ?? entry.headers?.['X-Reference'] ?? '',
        account: entry.account ?? '',
        at: Date.parse(at),
        visibleAt: Date.parse(entry.visibleAt ?? at),
        amount: entry.amount ?? null,
        method: entry.method ?? null,
        ...{ goneAt: null, reversedAt: null },
      });
    } else if (known !== undefined && entry.type === 'deletion')
      things.set(id, { ...known, goneAt: Date.parse(at) });
    else if (known !== undefined && entry.type === 'reversal')
      things.set(id, { ...known, reversedAt: Date.parse(at) });
  }
  return [...things.values()];
}

/** As the payment service has it: a transfer is pending for a minute. */
const TRANSFER_MS = 60_000;

type Status = 'done' | 'pending' | 'failed' | 'reversed';

function statusAt(thing: Thing, instant: number): Status {
  if (thing.reversedAt !== null && thing.reversedAt <= instant) return 'reversed';
  if (thing.method === 'expired-card') return 'failed';
  return thing.method === 'bank-transfer' && instant < thing.at + TRANSFER_MS ? 'pending' : 'done';
}

/** Milliseconds by which the database's clock and the systems' may read one instant differently: both round. */
const ROUNDING_MS = 2;

/**
 * Null when the claim was true at some instant at which its answer can have been given; otherwise what is wrong with it.
 * "Not applied" is a word about the future as well: nothing may ever come of the request.
 * @param things all that was ever made under the case's key; of a deletion the record that it is about
 */
export function faultOf(claim: Claim, about: Case, things: readonly Thing[]): string | null {
  const instants = [claim.from - ROUNDING_MS, claim.to + ROUNDING_MS, ...things.flatMap(momentsOf)].filter(
    (each) => each >= claim.from - ROUNDING_MS && each <= claim.to + ROUNDING_MS,
  );
  const holds = instants.some((instant) =>
    about.operation === 'delete-crm-record'
      ? holdsOfDeletion(claim, things, instant)
      : holdsOfEffect(claim, about, things, instant),
  );
  return holds ? null : `says ${claim.says}${claim.resultId === null ? '' : ` ${claim.resultId}`}`;
}

const momentsOf = ({ at, visibleAt, method, goneAt, reversedAt }: Thing): number[] => [
  ...[at, visibleAt],
  ...(goneAt === null ? [] : [goneAt]),
  ...(reversedAt === null ? [] : [reversedAt]),
  ...(method === 'bank-transfer' ? [at + TRANSFER_MS] : []),
];

function holdsOfDeletion({ says }: Claim, [record]: readonly Thing[], instant: number): boolean {
  if (record === undefined) return false;
  if (says === 'APPLIED') return record.goneAt !== null && record.goneAt <= instant;
  return says === 'NOT_APPLIED' && record.goneAt === null;
}

function holdsOfEffect(
  { says, resultId }: Claim,
  about: Case,
  things: readonly Thing[],
  instant: number,
): boolean {
  const seen = things.filter((each) => each.visibleAt <= instant);
  const ours = seen.filter((each) => each.account === about.account);
  const standing = ours.filter((each) => ['done', 'pending'].includes(statusAt(each, instant)));
  const [only] = standing;
  switch (says) {
    case 'APPLIED':
      return (
        standing.length === 1 &&
        only?.id === resultId &&
        statusAt(only, instant) === 'done' &&
        agrees(only, about)
      );
    case 'NOT_APPLIED':
      return things.every((each) => each.account !== about.account || statusAt(each, instant) === 'failed');
    case 'REVERSED':
      return standing.length === 0 && ours.some((each) => each.id === resultId && isReversed(each, instant));
    case 'SEVERAL':
      return standing.length > 1;
    case 'OTHER_THING':
      return standing.length === 0 ? seen.length > 0 : standing.length === 1 && !agrees(standing[0], about);
    default: {
      const impossible: never = says;
      throw new Error(`bug: unknown claim ${String(impossible)}`);
    }
  }
}

const isReversed = (thing: Thing, instant: number) => statusAt(thing, instant) === 'reversed';

function agrees(thing: Thing | undefined, about: Case): boolean {
  const { amount } = about.payload;
  return thing !== undefined && (thing.amount === null || thing.amount === amount);
}
