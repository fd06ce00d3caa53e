// What the tests of this tree found, for the listings of rules and checks.
import { hasBrowserTests, prepareBrowser } from './browser.mjs';
import type { JudgedRule, TestOutcome } from './rule-book';
import { keptResults, runTests } from './test-results.mjs';

async function resultsOf(program: 'vitest' | 'playwright', anyTree: boolean): Promise<TestOutcome[]> {
  const kept = keptResults(program, { anyTree });
  if (kept || anyTree) return kept ?? [];
  if (program === 'playwright') {
    if (!hasBrowserTests()) return [];
    await prepareBrowser();
  }
  console.error(`running ${program}: there are no results for this tree`);
  return (await runTests(program, { quiet: true })).tests;
}

/** @param kept judges what was found last, though files have changed since; otherwise the tests run when they have */
export async function foundResults({ kept }: { kept: boolean }): Promise<TestOutcome[]> {
  return [...(await resultsOf('vitest', kept)), ...(await resultsOf('playwright', kept))];
}

/** One rule or check with its tests below it; `brief` leaves those out. */
export function printJudged(
  judged: Omit<JudgedRule, 'state'> & { state: string },
  { brief }: { brief: boolean },
): void {
  console.log(`${judged.state.padEnd(7)}  ${judged.id}  ${judged.words}`);
  if (brief) return;
  for (const test of judged.failing) console.log(`           ✗ ${test.title}  (${test.file})`);
  for (const test of judged.passing) console.log(`           ✓ ${test.title}  (${test.file})`);
}
