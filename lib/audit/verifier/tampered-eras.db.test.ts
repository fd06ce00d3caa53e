// The same tamperings where old events have left in several runs, what is false about the runs, and clocks that were wrong.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { arbitraryContent } from '@/lib/testing/arbitrary-content';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { eraLog, liveOf, type EraLog, type Eras } from '@/lib/testing/era-log';
import { FALSE_ERAS, oneRunMore } from '@/lib/testing/false-eras';
import { installSecondVerifier } from '@/lib/testing/second-verifier';
import { startOf } from '@/lib/testing/signed-log';
import { flip, TAMPERINGS, type Tampered } from '@/lib/testing/tamperings';
import { misdatedSecond, verifyFirst, verifySecond } from '@/lib/testing/verify-both';
import { makeSigningKey, signingKeyOf } from '../signer/signing-key';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  await installSecondVerifier(db.pool('superuser'));
});
afterAll(() => db.drop());

const seed = inject('fuzzSeed');
const key = signingKeyOf(makeSigningKey());
const verify = (log: EraLog) => verifyFirst(log, key);

interface Case {
  spec: Eras;
  /** With the archives in front, or what stays alone. */
  log: EraLog;
  first: number;
  signed: number;
}

const view = (log: EraLog, isWhole: boolean) => (isWhole ? log : liveOf(log));
const caseOf = (spec: Eras, isWhole: boolean): Case => {
  const log = view(eraLog(spec, key), isWhole);
  return { spec, log, first: Number(startOf(log).number) + 1, signed: log.numbers.at(-1)! };
};
const cases: fc.Arbitrary<Case> = fc
  .record({
    eras: fc.array(fc.array(arbitraryContent, { minLength: 1, maxLength: 5 }), {
      minLength: 2,
      maxLength: 4,
    }),
    late: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
    signs: fc.array(fc.boolean(), { minLength: 32, maxLength: 32 }),
    bare: fc.nat(4),
    erases: fc.boolean(),
    isWhole: fc.boolean(),
  })
  .map(({ signs, isWhole, ...spec }) =>
    caseOf({ ...spec, isSigned: (number) => signs[number] === true }, isWhole),
  )
  .filter(({ first, signed }) => signed >= first);

const isFound = async ({ log, firstBad }: Tampered) => {
  expect(await verify(log as EraLog)).toMatchObject({ kind: 'broken', fault: { number: firstBad } });
  expect(await verifySecond(db.pool('superuser'), log)).toBe(firstBad);
};

describe('a log from which events have left in several runs', () => {
  it('R-087ab an untouched one is whole, for both, with its archives and without', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ log, signed }) => {
        expect(await verify(log)).toMatchObject({ kind: 'verified', signed: { number: BigInt(signed) } });
        expect(await verify(log)).not.toHaveProperty('misdated');
        expect(await verifySecond(db.pool('superuser'), log)).toBeNull();
        expect(await misdatedSecond(db.pool('superuser'), log)).toBeNull();
      }),
      { numRuns: 30, seed },
    );
  });

  it.each(Object.entries(TAMPERINGS))('R-087ab AU-10 is found and located by both: %s', async (_, change) => {
    await fc.assert(
      fc.asyncProperty(cases, fc.nat(), fc.nat(), async ({ log, first, signed }, place, pick) => {
        const tampered = change(log, first + (place % (signed - first + 1)), pick, log.numbers);
        fc.pre(tampered !== null);
        await isFound(tampered);
      }),
      { numRuns: 30, seed },
    );
  });

  it.each(Object.entries(FALSE_ERAS))(
    'R-087r R-087ab AU-10 is found and located by both: %s',
    async (_, change) => {
      await fc.assert(
        fc.asyncProperty(cases, fc.nat(), fc.nat(), async ({ log, first, signed }, place, pick) => {
          const tampered = change(log, first + (place % (signed - first + 1)), pick, key);
          fc.pre(tampered !== null);
          await isFound(tampered);
        }),
        { numRuns: 30, seed },
      );
    },
  );

  it('R-087ab one run more is whole where the signer let it go', async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.nat(), async ({ log, first, signed }, place) => {
        const more = oneRunMore(log, first + (place % (signed - first + 1)), key);
        fc.pre(more !== null);
        expect(await verifyFirst(more, key)).toMatchObject({ kind: 'verified' });
        expect(await verifySecond(db.pool('superuser'), more)).toBeNull();
      }),
      { numRuns: 30, seed },
    );
  });

  it('R-087ab one bit of a checkpoint or of the signer’s word is found, by its line', async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.nat(), fc.nat(), fc.nat(7), async ({ log }, which, place, bit) => {
        const line = which % log.lines.length;
        const lines = log.lines.with(line, flip(log.lines[line]!, place, bit));
        expect(await verify({ ...log, lines })).toMatchObject({
          kind: 'distrusted',
          fault: { line: line + 1 },
        });
      }),
      { numRuns: 200, seed },
    );
  });
});

/** Longer than clocks may differ. */
const turns = fc.integer({ min: 6, max: 100_000 }).map((minutes) => minutes * 60_000);
const signedFrom = ({ log }: Case, at: number) => log.numbers.find((number) => number >= at)!;

/** Longer than eras lie apart. */
const FAR_MS = 50 * 86_400_000;

type Turn = (place: { at: number; signedNext: number; by: number }) => {
  turned: NonNullable<Eras['turned']>;
  firstBad: number;
};
const TURNS: Record<string, Turn> = {
  'one event is dated before the one before it': ({ at, by }) => ({
    turned: (number, time) => (number === at ? time - FAR_MS - by : time),
    firstBad: at,
  }),
  'the clock went back and stayed behind': ({ at, by }) => ({
    turned: (number, time) => (number >= at ? time - FAR_MS - by : time),
    firstBad: at,
  }),
  // Nothing but a signature can contradict it.
  'the clock went ahead and stayed ahead': ({ at, signedNext, by }) => ({
    turned: (number, time) => (number >= at ? time + by : time),
    firstBad: signedNext,
  }),
  'one event is dated after those that follow': ({ at, signedNext, by }) => ({
    turned: (number, time) => (number === at ? time + FAR_MS + by : time),
    firstBad: signedNext === at ? at : at + 1,
  }),
};

describe('a clock that was wrong', () => {
  it.each(Object.entries(TURNS))('R-087ab R-087w is told and located by both: %s', async (_, turn) => {
    await fc.assert(
      fc.asyncProperty(cases, fc.nat(), turns, async (made, place, by) => {
        const { spec, log, first, signed } = made;
        const at = first + (place % (signed - first + 1));
        // What came before the first that is there has left.
        fc.pre(at > first);
        const { turned, firstBad } = turn({ at, signedNext: signedFrom(made, at), by });
        const wrong = view(eraLog({ ...spec, turned }, key), log.whole === true);
        expect(await verify(wrong)).toMatchObject({
          kind: 'verified',
          misdated: { number: BigInt(firstBad) },
        });
        expect(await misdatedSecond(db.pool('superuser'), wrong)).toBe(BigInt(firstBad));
      }),
      { numRuns: 30, seed },
    );
  });
});
