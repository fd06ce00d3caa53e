import type { Mutant } from '../testing/mutant';
import type { TestOutcome } from './test-results.mjs';

/** `broken`: nothing is known of it, since something did not run. That is no survivor, and no success either. */
export type Fate = { mutant: Mutant; state: 'killed' | 'survived' | 'broken'; words: string };

/** What the tests that were run found about a mutant; of the report's tests those count that carry its rule's id. */
export function fateOf(mutant: Mutant, found: readonly TestOutcome[]): Fate {
  const ofRule = new RegExp(`${mutant.rule}\\b`);
  // The report lists the tests that were not chosen too, as not passed: R-034 must not count those of R-034a.
  const tests = found.filter((test) => test.unloaded !== true && ofRule.test(test.title));
  const failed = tests.find((test) => !test.passed);
  if (failed !== undefined) return { mutant, state: 'killed', words: `by "${failed.title}"` };
  const unloaded = found.find((test) => test.unloaded === true);
  if (unloaded !== undefined)
    return { mutant, state: 'broken', words: `a test file does not load: ${unloaded.title}` };
  if (tests.length === 0) return { mutant, state: 'broken', words: 'no test with its id was run' };
  return { mutant, state: 'survived', words: `${tests.length} tests of its rule still pass` };
}
