// How much is generated and from which seed: `npm run fuzz -- --runs 100000 --seed 7` sets both.
import { inject } from 'vitest';

/** Requests of all fuzz tests together; each test takes its share. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? '3000');

export interface Campaign {
  /** For fast-check: this test's share of the runs, and the seed. */
  readonly parameters: { readonly numRuns: number; readonly seed: number };
  /** Counts an answer. */
  saw(word: string): void;
  /** Prints what came of it, so that a run can be judged and repeated. */
  tell(): void;
}

/** For whoever reads the run's output. */
export const say = (text: string): void => console.log(text);

/** @param share of all requests, by how many each run makes */
export function campaign(name: string, share: { of: number; requests: number }): Campaign {
  const seed = inject('fuzzSeed');
  const numRuns = Math.max(1, Math.round((RUNS * share.of) / share.requests));
  const words = new Map<string, number>();
  const startedAt = performance.now();
  return {
    parameters: { numRuns, seed },
    saw: (word) => words.set(word, (words.get(word) ?? 0) + 1),
    tell: () => {
      const counts = [...words].sort(([, one], [, other]) => other - one);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      say(
        `fuzz ${name}: seed ${seed}, ${numRuns} runs of ${share.requests} in ${seconds} s: ${counts.map(([word, count]) => `${word} ${count}`).join(', ')}`,
      );
    },
  };
}
