import { expect, it } from 'vitest';
import { fateOf } from './mutant-fate';

const mutant = { rule: 'R-034', file: 'lib/a.ts', find: 'a', replace: 'b' };
const passed = { title: 'block R-034 holds', file: 'lib/a.test.ts', passed: true };
const failed = { title: 'block R-034 fails', file: 'lib/a.test.ts', passed: false };
const other = { title: 'block R-034a was not chosen', file: 'lib/a.test.ts', passed: false };
const unloaded = {
  title: 'lib/b.test.ts runs: no module',
  file: 'lib/b.test.ts',
  passed: false,
  unloaded: true,
};

it('a mutant is killed by a failing test of its own rule alone', () => {
  expect(fateOf(mutant, [passed, failed, unloaded])).toMatchObject({
    state: 'killed',
    words: 'by "block R-034 fails"',
  });
  expect(fateOf(mutant, [passed, other])).toMatchObject({ state: 'survived' });
});

it('a test file that does not load is neither a survivor nor a success', () => {
  expect(fateOf(mutant, [passed, unloaded])).toMatchObject({
    state: 'broken',
    words: expect.stringContaining('lib/b.test.ts runs: no module') as unknown,
  });
  expect(fateOf(mutant, [{ ...unloaded, title: 'R-034.test.ts runs: no module' }])).toMatchObject({
    state: 'broken',
  });
  expect(fateOf(mutant, [other])).toMatchObject({ state: 'broken' });
});
