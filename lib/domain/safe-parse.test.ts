import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { safeParse } from './safe-parse';

const schema = z.strictObject({
  text: z.string().min(1).max(5),
  list: z.array(z.string()).max(2).optional(),
});
const HOSTILE: readonly unknown[] = [
  Object.create(null),
  { valueOf: 1, toString: 1 },
  [Object.create(null)],
  { toString: null, valueOf: null },
];

describe('judging what somebody sent', () => {
  it.each(HOSTILE)(
    'R-006a BI-03 AN-03 a length that is no number is refused, wherever it stands: %#',
    (length) => {
      for (const input of [
        { text: { length } },
        { text: 'ok', list: { length } },
        { text: { length, more: { length } } },
      ])
        expect(safeParse(schema, input).success).toBe(false);
    },
  );

  it('is the schema’s answer otherwise, faults of our own included', () => {
    expect(safeParse(schema, { text: 'ok' })).toEqual({ success: true, data: { text: 'ok' } });
    expect(safeParse(schema, { text: '' }).error?.issues).toMatchObject([{ path: ['text'] }]);
    const broken = z.string().refine(() => {
      throw new TypeError('a bug');
    });
    expect(() => safeParse(broken, 'x')).toThrow('a bug');
  });
});
