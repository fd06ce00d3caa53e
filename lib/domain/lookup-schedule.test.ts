import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextLookup, type LookupMade } from './lookup-schedule';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 29, 12) + seconds * 1000);
const horizon = { usableFrom: at(110), usableUntil: null };
const limits = { attempts: 6, backoffSeconds: 4 };
const silent: LookupMade = {
  finding: { outcome: 'INACCESSIBLE', externalStatus: null, valueFound: null },
  verdict: 'UNCLEAR',
  askedAt: at(200),
  made: 1,
  madeSinceHorizon: 1,
  retryAfterSeconds: null,
};
const absent: LookupMade = {
  ...silent,
  finding: { outcome: 'NOT_FOUND', externalStatus: null, valueFound: null },
  verdict: 'NOT_APPLIED',
};

describe('nextLookup', () => {
  it('R-065a waits twice as long each time', () => {
    const waits = [1, 2, 3, 4].map((made) => {
      const next = nextLookup(
        { ...silent, made, madeSinceHorizon: made },
        horizon,
        limits,
        at(200),
        0.999_999,
      );
      return next.again ? Math.round((next.at.getTime() - at(200).getTime()) / 1000) : null;
    });
    expect(waits).toEqual([4, 8, 16, 32]);
  });

  it('R-065b ends after its attempts, whatever the outcome', () => {
    for (const lookup of [silent, { ...silent, verdict: 'UNDER_WAY' as const }]) {
      expect(nextLookup({ ...lookup, made: 6 }, horizon, limits, at(200), 0)).toEqual({
        again: false,
        because: 'ATTEMPTS_SPENT',
      });
    }
  });

  it('R-065c ends at once when the answer is conclusive or needs a person', () => {
    const ending = (lookup: LookupMade) => {
      const next = nextLookup(lookup, horizon, limits, at(200), 0);
      return next.again ? 'again' : next.because;
    };
    expect(ending({ ...silent, verdict: 'APPLIED' })).toBe('CONCLUSIVE');
    expect(ending(absent)).toBe('CONCLUSIVE');
    expect(ending({ ...silent, finding: { ...silent.finding, outcome: 'MULTIPLE' } })).toBe('NEEDS_PERSON');
    expect(ending({ ...silent, finding: { ...silent.finding, outcome: 'MISMATCH' } })).toBe('NEEDS_PERSON');
    const reversed = { outcome: 'FOUND', externalStatus: 'reversed', valueFound: null } as const;
    expect(ending({ ...silent, finding: reversed })).toBe('NEEDS_PERSON');
    expect(ending({ ...silent, finding: { ...reversed, externalStatus: null } })).toBe('again');
  });

  it('R-065m half of the tries are kept for after the horizon, and the waits begin anew there', () => {
    const when = (made: number, madeSinceHorizon: number, now: number) => {
      const lookup = { ...silent, askedAt: at(now), made, madeSinceHorizon };
      const next = nextLookup(lookup, horizon, limits, at(now), 0.999_999);
      return next.again ? Math.round((next.at.getTime() - at(0).getTime()) / 1000) : null;
    };
    expect([when(1, 0, 0), when(2, 0, 4)]).toEqual([4, 12]);
    expect(when(3, 0, 12)).toBe(111);
    expect([when(4, 1, 111), when(5, 2, 115), when(6, 3, 123)]).toEqual([115, 123, null]);
  });

  it('R-065n what does not agree is asked again until the horizon: ours may arrive beside it', () => {
    const mismatch = { ...silent, finding: { ...silent.finding, outcome: 'MISMATCH' as const } };
    const early = { ...mismatch, askedAt: at(109), madeSinceHorizon: 0 };
    expect(nextLookup(early, horizon, limits, at(109), 0)).toEqual({ again: true, at: at(110) });
    const over = { ...mismatch, askedAt: at(110) };
    expect(nextLookup(over, horizon, limits, at(110), 0)).toEqual({ again: false, because: 'NEEDS_PERSON' });
  });

  it('R-065d "not found" before the horizon is asked again at the horizon, the last try never before it', () => {
    const early = { ...absent, askedAt: at(100), made: 4, madeSinceHorizon: 0 };
    expect(nextLookup(early, horizon, limits, at(100), 0)).toEqual({ again: true, at: at(110) });
    const lastTry = { ...absent, askedAt: at(20), made: 5, madeSinceHorizon: 0 };
    expect(nextLookup(lastTry, horizon, { attempts: 6, backoffSeconds: 0.1 }, at(20), 0)).toEqual({
      again: true,
      at: at(110),
    });
  });

  it('R-065e stays away as long as the outside system asks', () => {
    const next = nextLookup({ ...silent, retryAfterSeconds: 60 }, horizon, limits, at(200), 0);
    expect(next).toEqual({ again: true, at: at(260) });
  });

  it('R-064f ends when the next answer would come after the system forgot', () => {
    const forgetful = { usableFrom: at(110), usableUntil: at(201) };
    expect(nextLookup(silent, forgetful, limits, at(200), 0.5)).toEqual({
      again: false,
      because: 'NO_LONGER_QUERYABLE',
    });
  });

  it('R-065f every run ends within its attempts, in the future of each step', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.double({ min: 0.1, max: 3600, noNaN: true }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.integer({ min: 0, max: 4000 }),
        (attempts, backoffSeconds, chance, horizonAt) => {
          let now = at(0);
          let madeSinceHorizon = 0;
          for (let made = 1; ; made += 1) {
            if (now >= at(horizonAt)) madeSinceHorizon += 1;
            const lookup = { ...silent, askedAt: now, made, madeSinceHorizon };
            const next = nextLookup(
              lookup,
              { usableFrom: at(horizonAt), usableUntil: null },
              { attempts, backoffSeconds },
              now,
              chance,
            );
            if (!next.again) return made === attempts && now >= at(attempts > 1 ? horizonAt : 0);
            if (next.at <= now) return false;
            now = next.at;
          }
        },
      ),
    );
  });
});
