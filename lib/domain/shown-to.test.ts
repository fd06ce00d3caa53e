import { expect, it } from 'vitest';
import { takeShownTo } from './shown-to';

it('R-078o an act says whom its page was shown to, and its command is not told', () => {
  const form = { operationId: 'one', rationale: 'because' };
  expect(takeShownTo({ ...form, shownTo: 'ada' })).toEqual({ shownTo: 'ada', input: form });
  expect(takeShownTo({ ...form, shownTo: null })).toEqual({ shownTo: null, input: form });
});

it('R-078o what does not say it is left as it is', () => {
  for (const input of [{ operationId: 'one' }, ['one', 'two'], 'text', null, undefined])
    expect(takeShownTo(input)).toEqual({ shownTo: undefined, input });
});
