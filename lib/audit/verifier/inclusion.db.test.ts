// Files that show some events of a log, against both implementations and without the log.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { arbitraryContent } from '@/lib/testing/arbitrary-content';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { installSecondInclusion, secondBadExport, secondBadTree } from '@/lib/testing/second-inclusion';
import { installSecondVerifier } from '@/lib/testing/second-verifier';
import { inclusionOf, recordsFor, shownLines, type ShownEvent } from '@/lib/testing/shown-export';
import { eventOf, rehash, signNumbers } from '@/lib/testing/signed-log';
import { flip } from '@/lib/testing/tamperings';
import { makeSigningKey, signingKeyOf, signRecord } from '../signer/signing-key';
import { checkpointDigest, checkpointLine, type CheckpointRecord } from './checkpoint.mjs';
import { CheckpointTrail } from './checkpoint-trail.mjs';
import { auditHash, type AuditRecord } from './event-hash.mjs';
import { verifyExport } from './verify-export.mjs';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  await installSecondVerifier(db.pool('superuser'));
  await installSecondInclusion(db.pool('superuser'));
});
afterAll(() => db.drop());

const seed = inject('fuzzSeed');
const key = signingKeyOf(makeSigningKey());
const keys = [{ keyId: key.keyId, publicKey: key.publicKey, revokedAt: null }];

interface Case {
  events: AuditRecord[];
  records: CheckpointRecord[];
  shown: ShownEvent[];
  /** Whether a neighbour's hash leads the event to a checkpoint as well. */
  isLed: (number: number) => boolean;
}

/** A log with checkpoints, the first of them from before there were trees, and the events that somebody may see. */
const cases: fc.Arbitrary<Case> = fc
  .record({
    contents: fc.array(arbitraryContent, { minLength: 4, maxLength: 24 }),
    steps: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 24, maxLength: 24 }),
    seen: fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }),
    bare: fc.nat(1),
  })
  .map(({ contents, steps, seen, bare }) => {
    const events = rehash(contents.map(eventOf));
    const numbers = steps
      .map((_, at) => steps.slice(0, at + 1).reduce((sum, step) => sum + step, 0))
      .filter((number) => number <= events.length);
    const records = signNumbers(events, numbers, key, bare);
    const isShown = (number: number) => number <= events.length && seen[number - 1] === true;
    const shown = events
      .filter(({ number }) => isShown(Number(number)))
      .map((event) => ({ ...event, inclusion: inclusionOf(events, records, Number(event.number)) }));
    const isLed = (number: number): boolean =>
      isShown(number) && (numbers.includes(number) || isLed(number + 1));
    return { events, records, shown, isLed };
  })
  .filter(({ shown }) => shown.some(({ inclusion }) => inclusion !== null));

const both = async (lines: readonly string[]) => ({
  first: await verifyExport(lines, keys),
  second: await secondBadExport(db.pool('superuser'), lines),
});

type Tamper = (event: ShownEvent, made: Case, pick: number) => ShownEvent | null;
const way = (event: ShownEvent, change: object): ShownEvent => ({
  ...event,
  inclusion: { ...event.inclusion!, ...change },
});
const TAMPERINGS: Record<string, Tamper> = {
  'its content, hash and all': (event) => {
    const changed = { ...event, actorName: `${event.actorName}!` };
    return { ...changed, hash: auditHash(changed) };
  },
  'its content alone': (event) => ({ ...event, actorName: `${event.actorName}!` }),
  'one bit of its way': (event, _, pick) => {
    const { path } = event.inclusion!;
    const at = pick % Math.max(path.length, 1);
    return path.length === 0 ? null : way(event, { path: path.with(at, flip(path[at]!, pick, pick % 7)) });
  },
  'a step of its way taken out': (event, _, pick) => {
    const { path } = event.inclusion!;
    return path.length === 0 ? null : way(event, { path: path.toSpliced(pick % path.length, 1) });
  },
  'a step added to its way': (event, _, pick) =>
    way(event, { path: event.inclusion!.path.toSpliced(pick % 2, 0, event.hash) }),
  'its place': (event, _, pick) =>
    way(event, { index: String(Math.abs(Number(event.inclusion!.index) + (pick % 2 === 0 ? 1 : -1))) }),
  'the size of its tree': (event, _, pick) =>
    way(event, { size: String(Number(event.inclusion!.size) + 1 + (pick % 3)) }),
  'size and place of its tree': (event) => {
    const { size, index } = event.inclusion!;
    return way(event, { size: String(Number(size) + 1), index: String(Number(index) + 1) });
  },
  'the checkpoint that it names': (event, { records }, pick) => {
    const { number } = records[pick % records.length]!;
    return number === event.inclusion!.checkpoint ? null : way(event, { checkpoint: number });
  },
  'the way of another event': (event, { shown }, pick) => {
    const other = shown[pick % shown.length]!;
    return other.number === event.number || other.inclusion === null
      ? null
      : { ...event, inclusion: other.inclusion };
  },
  'a node passed for a leaf': (event) => {
    const { path, size, index } = event.inclusion!;
    if (path.length === 0) return null;
    const half = { size: Math.ceil(Number(size) / 2), index: Math.floor(Number(index) / 2) };
    return way(event, { path: path.slice(1), size: String(half.size), index: String(half.index) });
  },
  'its way taken away': (event, { isLed }) =>
    isLed(Number(event.number)) ? null : { ...event, inclusion: null },
};

describe('a file that leaves events out', { timeout: 120_000 }, () => {
  it('R-087ac R-088u shows of each signed event that it was signed, for both', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ shown, records, isLed }) => {
        const { first, second } = await both(shownLines(shown, recordsFor(shown, records)));
        const ways = shown.filter(({ inclusion }) => inclusion !== null).length;
        const led = shown.filter(({ inclusion, number }) => inclusion === null && isLed(Number(number)));
        expect(first).toMatchObject({ kind: 'verified', proof: { ways, signed: ways + led.length } });
        expect(second).toBeNull();
      }),
      { numRuns: 25, seed },
    );
  });

  it.each(Object.entries(TAMPERINGS))(
    'R-087ac R-088u AU-10 is refused and located by both with another: %s',
    async (_, tamper) => {
      await fc.assert(
        fc.asyncProperty(cases, fc.nat(), fc.nat(), async (made, place, pick) => {
          const { shown, records } = made;
          const proven = shown.filter(({ inclusion }) => inclusion !== null);
          const event = proven[place % proven.length]!;
          const changed = tamper(event, made, pick);
          fc.pre(changed !== null);
          const at = shown.indexOf(event);
          const lines = shownLines(shown.with(at, changed), recordsFor(shown, records));
          const { first, second } = await both(lines);
          expect(first).toMatchObject({ kind: 'broken' });
          if (first.kind !== 'broken') throw new Error('unreachable');
          // Hashed anew, the event is told by the next one where that is shown, and else by its own way.
          const isNextShown = shown[at + 1]?.number === String(BigInt(event.number) + 1n);
          const told = first.fault.reason === 'UNLINKED' && isNextShown ? 1n : 0n;
          expect(first.fault.number).toBe(BigInt(event.number) + told);
          expect(second).toBe(first.fault.number);
        }),
        { numRuns: 25, seed },
      );
    },
  );

  it('R-087ac R-088u with every way and root taken away it proves nothing, and does not say that it does', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ shown, records }) => {
        const bare = shown.map((event) => ({ ...event, inclusion: null }));
        const { first } = await both(shownLines(bare, records.slice(0, 0)));
        expect(first).toMatchObject({ kind: 'verified', proof: { signed: 0, ways: 0 } });
      }),
      { numRuns: 10, seed },
    );
  });
});

/** The records from one on, with another tree in it, signed anew by the same key: what the key's thief can do. */
function withTree(
  records: readonly CheckpointRecord[],
  at: number,
  tree: CheckpointRecord['tree'],
): CheckpointRecord[] {
  const changed = [...records];
  for (let index = at; index < records.length; index += 1) {
    const { signature: _, newSignature: __, tree: own, ...content } = records[index]!;
    const [before, kept] = [changed[index - 1], index === at ? tree : own];
    const previous = before === undefined ? content.previous : checkpointDigest(before);
    changed[index] = signRecord(key, { ...content, previous, ...(kept && { tree: kept }) });
  }
  return changed;
}

async function follow(events: readonly AuditRecord[], records: readonly CheckpointRecord[]) {
  const trail = new CheckpointTrail({ lines: records.map((each) => checkpointLine(each).trimEnd()), keys });
  for (const { number, hash } of events) await trail.meet({ number: BigInt(number), hash });
  return trail.fault;
}

describe('a record that does not cover what it has to', { timeout: 120_000 }, () => {
  const trees = cases.filter(({ records }) => records.filter(({ tree }) => tree).length > 1);

  it.each<[string, (tree: NonNullable<CheckpointRecord['tree']>) => CheckpointRecord['tree']]>([
    ['another root', (tree) => ({ ...tree, root: 'a'.repeat(64) })],
    ['a smaller size', (tree) => ({ ...tree, size: String(Number(tree.size) - 1) })],
    ['a larger size', (tree) => ({ ...tree, size: String(Number(tree.size) + 1) })],
    ['another beginning', (tree) => ({ ...tree, since: String(Number(tree.since) + 1) })],
    ['no tree, where the others have one', () => undefined],
  ])('R-087ac AU-10 is not believed, by both: %s', async (_, change) => {
    await fc.assert(
      fc.asyncProperty(trees, fc.nat(), async ({ events, records }, pick) => {
        const [first, ...later] = records.flatMap(({ tree }, index) => (tree ? [index] : []));
        // What the first tree says to cover is told by the records before it alone.
        const at = later[pick % later.length] ?? first!;
        const forged = withTree(records, at, change(records[at]!.tree!));
        expect(await follow(events, forged)).toEqual({ line: at + 1, reason: 'TREE' });
        expect(await secondBadTree(db.pool('superuser'), events, forged)).toBe(BigInt(at + 1));
        expect(await follow(events, records)).toBeNull();
        expect(await secondBadTree(db.pool('superuser'), events, records)).toBeNull();
      }),
      { numRuns: 20, seed },
    );
  });

  it('R-087ac R-088u AU-10 in a file one without a tree is found by any other that has one', async () => {
    await fc.assert(
      fc.asyncProperty(trees, fc.boolean(), async ({ shown, records }, isLast) => {
        const chosen = recordsFor(shown, records);
        const trees = chosen.filter(({ tree }) => tree !== undefined);
        fc.pre(trees.length > 1);
        const bare = records.indexOf((isLast ? trees.at(-1) : trees[0])!);
        const forged = withTree(records, bare, undefined).filter((_, at) => chosen.includes(records[at]!));
        const { first, second } = await both(shownLines(shown, forged));
        expect(second).toBe(0n);
        const isTold = first.kind === 'distrusted' && first.reason === 'TREE';
        // An event that names it comes first.
        expect(isTold || (first.kind === 'broken' && first.fault.reason === 'PROOF')).toBe(true);
        const unnamed = shown.filter(({ inclusion }) => inclusion?.checkpoint !== records[bare]!.number);
        expect((await both(shownLines(unnamed, forged))).first).toMatchObject({
          kind: 'distrusted',
          reason: 'TREE',
        });
      }),
      { numRuns: 20, seed },
    );
  });
});
