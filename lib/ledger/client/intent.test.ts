import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newIntent, nextAttempt, readIntent, writeIntent, type Intent } from '@/lib/ledger/client';

const made = (): Intent =>
  newIntent({
    operation: 'send-mail',
    key: 'mail-4711',
    workflowId: 'wf 7',
    step: '메일',
    traceId: 'trace-1',
  });

describe('R-035a an intent travels as text', () => {
  it('R-035a it has its attempt id from the start, and reads back as it was written', () => {
    const intent = made();
    expect(intent.attemptId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(readIntent(writeIntent(intent))).toEqual(intent);
    // Through a queue that packs it into JSON of its own, and a tool that gets it as an argument.
    const packed = JSON.stringify({ body: writeIntent(intent) });
    expect(readIntent((JSON.parse(packed) as { body: string }).body)).toEqual(intent);
    expect(made().attemptId).not.toBe(intent.attemptId);
  });

  it('R-035a any names that the API takes survive', () => {
    const name = (max: number) =>
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: max }).filter((text) => {
        return text.length <= max && !/\p{Cc}|\p{Surrogate}/u.test(text);
      });
    const ascii = fc.stringMatching(/^[\x21-\x7e]{1,60}$/);
    fc.assert(
      fc.property(ascii, ascii, name(60), name(60), (operation, key, workflowId, step) => {
        const intent = newIntent({ operation, key, workflowId, step });
        expect(readIntent(writeIntent(intent))).toEqual(intent);
      }),
    );
  });

  it('R-035a a later attempt at the same work has another attempt id and the same key', () => {
    const intent = made();
    const { attemptId, ...rest } = nextAttempt(intent);
    expect(attemptId).not.toBe(intent.attemptId);
    expect(intent).toMatchObject(rest);
  });

  it.each([
    ['no JSON', 'mail-4711'],
    ['half of it', writeIntent(made()).slice(0, 40)],
    ['no object', '["intent/1"]'],
    ['another form', JSON.stringify({ ...made(), onceover: 'intent/2' })],
    ['no form', JSON.stringify(made())],
    ['a name twice', writeIntent(made()).replace('{', '{"key":"other",')],
    ['an unknown member', JSON.stringify({ ...made(), onceover: 'intent/1', token: 'oo_live_x' })],
    ['no key', JSON.stringify({ ...made(), onceover: 'intent/1', key: undefined })],
    ['a key with a line break', JSON.stringify({ ...made(), onceover: 'intent/1', key: 'a\nb' })],
    ['no operation', JSON.stringify({ ...made(), onceover: 'intent/1', operation: '' })],
    ['an attempt id that is none', JSON.stringify({ ...made(), onceover: 'intent/1', attemptId: 'x' })],
    ['a step that is too long', JSON.stringify({ ...made(), onceover: 'intent/1', step: 'x'.repeat(129) })],
    ['a step that is no text', JSON.stringify({ ...made(), onceover: 'intent/1', step: 7 })],
  ])('R-035a %s is refused: a garbled intent never becomes other work', (_, text) => {
    expect(() => readIntent(text)).toThrow(TypeError);
  });

  it('R-035a what could never be claimed is not made', () => {
    expect(() => newIntent({ operation: 'o', key: '' })).toThrow(/key/);
    expect(() => newIntent({ operation: 'o', key: 'k', attemptId: 'x' })).toThrow(/attemptId/);
    expect(() => newIntent({ operation: 'o', key: 'k', workflowId: '' })).toThrow(/workflowId/);
  });
});
