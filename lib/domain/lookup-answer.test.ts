import { describe, expect, it } from 'vitest';
import { httpConnectorSchema } from './connector-http';
import type { QuestionSubject } from './connector-question';
import { readAnswer, type HttpAnswer } from './lookup-answer';
import type { Proof } from './lookup-verdict';

const base = {
  system: 'payment',
  baseUrl: 'https://pay.example.com/',
  path: 'payments',
  query: { reference: '{businessRef}' },
  items: '/items',
  moreAt: '/has_more',
  errorAt: '/error',
  fields: { id: '/id', status: '/status', account: '/account', url: '/url' },
  content: [
    { expected: '{businessRef}', pointer: '/reference', role: 'identifies' },
    { expected: '{display:/amount}', pointer: '/amount', match: 'numeric', tolerance: '0.01' },
  ],
  statuses: {
    done: ['succeeded'],
    pending: ['pending', 'requires_action'],
    failed: ['failed'],
    reversed: ['reversed'],
  },
  notFound: { status404: true, emptyList: true },
  visibilityDelaySeconds: 20,
  queryableSeconds: null,
};
const subject: QuestionSubject = {
  system: 'payment',
  account: 'north',
  key: 'k',
  requestId: null,
  externalRequestKey: null,
  externalJobId: null,
  businessRef: 'ORDER-1',
  contentVersion: null,
  resultId: null,
  display: { amount: '120.50' },
};
const payment = (change: object = {}) => ({
  id: 'PAY-1',
  reference: 'ORDER-1',
  account: 'north',
  amount: 120.5,
  status: 'succeeded',
  url: 'https://pay.example.com/payments/PAY-1',
  secretNote: 'never kept',
  ...change,
});
const json = (body: unknown, status = 200): HttpAnswer => ({
  status,
  mediaType: 'application/json',
  text: JSON.stringify(body),
});
const first = { asked: ['https://pay.example.com/payments?reference=ORDER-1'], items: [], count: 0 };
const read = (answer: HttpAnswer, change: object = {}, proof: Proof = 'PRESENCE', about = subject) => {
  const step = readAnswer(
    answer,
    httpConnectorSchema.parse({ kind: 'http', ...base, ...change }),
    proof,
    about,
    first,
  );
  if ('next' in step) throw new Error(`goes on at ${step.next}`);
  return step.finding;
};
const list = (...items: object[]) => json({ items });

describe('readAnswer', () => {
  it('R-061f account and content agree: found, with the named fields and nothing else', () => {
    const finding = read(list(payment()));
    expect(finding).toMatchObject({
      outcome: 'FOUND',
      externalStatus: 'done',
      resultId: 'PAY-1',
      resultUrl: 'https://pay.example.com/payments/PAY-1',
      targetAccount: 'north',
      accountMatch: true,
      contentMatch: true,
      matches: 1,
    });
    expect(finding.comparison.map((line) => [line.field, line.agrees])).toEqual([
      ['account', true],
      ['businessRef', true],
      ['amount', true],
    ]);
    expect(JSON.stringify(finding)).not.toContain('never kept');
  });

  it('R-061g another account or another amount is a mismatch, not a match', () => {
    expect(read(list(payment({ account: 'south' })))).toMatchObject({
      outcome: 'MISMATCH',
      accountMatch: false,
    });
    expect(read(list(payment({ amount: 999 })))).toMatchObject({ outcome: 'MISMATCH', contentMatch: false });
    expect(read(list(payment({ amount: 999, status: 'failed' })))).toMatchObject({ outcome: 'MISMATCH' });
  });

  it('R-061h what cannot be compared is no match', () => {
    expect(read(list(payment({ amount: undefined })))).toMatchObject({
      outcome: 'INCONCLUSIVE',
      errorClass: 'NOT_COMPARABLE',
    });
    expect(read(list(payment({ account: undefined })))).toMatchObject({ outcome: 'INCONCLUSIVE' });
    expect(read(list(payment()), {}, 'PRESENCE', { ...subject, display: {} })).toMatchObject({
      outcome: 'INCONCLUSIVE',
    });
    expect(read(list(payment({ reference: undefined })))).toMatchObject({ outcome: 'INCONCLUSIVE' });
    expect(read(list(payment()), { fields: { ...base.fields, account: undefined } })).toMatchObject({
      outcome: 'INCONCLUSIVE',
    });
    expect(
      read(list(payment()), { fields: { ...base.fields, account: undefined }, fixedAccount: 'north' }),
    ).toMatchObject({ outcome: 'FOUND', accountMatch: true });
  });

  it('R-061l an execution that names no account takes the one found', () => {
    const anyAccount = read(list(payment()), {}, 'PRESENCE', { ...subject, account: null });
    expect(anyAccount).toMatchObject({ outcome: 'FOUND', accountMatch: true, targetAccount: 'north' });
    expect(anyAccount.comparison.map((line) => line.field)).toEqual(['businessRef', 'amount']);
  });

  it('R-061i two effects are MULTIPLE, also when only one of them agrees', () => {
    const twice = read(list(payment(), payment({ id: 'PAY-2' })));
    expect(twice).toMatchObject({ outcome: 'MULTIPLE', matches: 2, resultId: null, externalStatus: null });
    expect(twice.candidates.map((each) => each.id)).toEqual(['PAY-1', 'PAY-2']);
    expect(read(list(payment(), payment({ id: 'PAY-2', amount: 999 }))).outcome).toBe('MULTIPLE');
    expect(read(list(payment(), payment({ id: 'PAY-2', status: 'pending' }))).outcome).toBe('MULTIPLE');
    expect(read(list(payment(), payment({ id: 'PAY-2', status: 'odd' }))).outcome).toBe('MULTIPLE');
  });

  it('R-061j a failed or reversed try beside one effect is no second effect', () => {
    const retried = read(list(payment({ status: 'failed' }), payment({ id: 'PAY-2' })));
    expect(retried).toMatchObject({ outcome: 'FOUND', externalStatus: 'done', resultId: 'PAY-2' });
    const undone = read(list(payment({ id: 'PAY-2' }), payment({ status: 'reversed' })));
    expect(undone).toMatchObject({ outcome: 'FOUND', externalStatus: 'done', resultId: 'PAY-2' });
    expect(
      read(list(payment({ status: 'failed' }), payment({ id: 'PAY-2', status: 'reversed' }))),
    ).toMatchObject({
      outcome: 'FOUND',
      externalStatus: 'reversed',
    });
  });

  it('R-061k passes over things of other references and, beside our own, of other accounts', () => {
    expect(read(list(payment({ reference: 'ORDER-2' })))).toMatchObject({ outcome: 'NOT_FOUND', matches: 0 });
    expect(read(list(payment({ id: 'PAY-2', account: 'south' }), payment()))).toMatchObject({
      outcome: 'FOUND',
      resultId: 'PAY-1',
    });
  });

  it('R-058f external words become statuses; a word in no list stays without one', () => {
    const status = (word: unknown) => read(list(payment({ status: word }))).externalStatus;
    expect(['succeeded', 'requires_action', 'failed', 'reversed'].map(status)).toEqual([
      'done',
      'pending',
      'failed',
      'reversed',
    ]);
    for (const word of ['Succeeded', 'paid', '', null, undefined, 1, {}]) expect(status(word)).toBeNull();
    expect(read(list(payment({ status: 'paid' })))).toMatchObject({
      outcome: 'FOUND',
      errorClass: 'UNLISTED_STATUS',
    });
  });

  it('R-058g an empty list or the API\'s own 404 is "not found", by the connector\'s rule alone', () => {
    expect(read(list()).outcome).toBe('NOT_FOUND');
    expect(read(json({ code: 'nope' }, 404)).outcome).toBe('NOT_FOUND');
    expect(read({ status: 404, mediaType: null, text: '' }).outcome).toBe('NOT_FOUND');
    expect(read({ status: 404, mediaType: 'text/html', text: '<h1>404</h1>' }).outcome).toBe('INCONCLUSIVE');
    const neither = { notFound: { status404: false, emptyList: false } };
    expect(read(list(), neither).outcome).toBe('INCONCLUSIVE');
    expect(read(json({}, 404), neither).outcome).toBe('INCONCLUSIVE');
  });

  it('R-058h no permission, throttling and server errors are out of reach, never "not found"', () => {
    for (const status of [401, 403, 407, 408, 429, 500, 502, 503, 504]) {
      expect(read(json({ items: [] }, status)).outcome, String(status)).toBe('INACCESSIBLE');
    }
  });

  it.each<[string, HttpAnswer]>([
    ['a redirect', json({ items: [] }, 302)],
    ['another success', json({ items: [] }, 206)],
    ['no content', { status: 204, mediaType: null, text: '' }],
    ['a client error', json({ items: [] }, 400)],
    ['a vanished resource', json({ items: [] }, 410)],
    ['HTML', { status: 200, mediaType: 'text/html', text: '<p>Sign in</p>' }],
    ['JSON sent as text', { status: 200, mediaType: 'text/plain', text: '{"items":[]}' }],
    ['broken JSON', { status: 200, mediaType: 'application/json', text: '{"items":[' }],
    ['broken UTF-8', { status: 200, mediaType: 'application/json', text: null }],
    ['an error in a 200', json({ items: [], error: 'internal' })],
    ['more pages', json({ items: [], has_more: true })],
    ['no list', json({ data: [] })],
    ['a list that is null', json({ items: null })],
    ['a list that is an object', json({ items: {} })],
    ['an item without id', list(payment({ id: undefined }))],
    ['an id that lost digits', json({ items: [payment({ id: 2 ** 60 })] })],
    ['an id with control characters', list(payment({ id: 'PAY\u0000-1' }))],
    ['items that are no objects', json({ items: ['x', 1, null] })],
  ])('R-058i %s says nothing', (_name, answer) => {
    expect(read(answer).outcome).toBe('INCONCLUSIVE');
  });

  it('R-058j a single thing: the body itself, 404 when absent', () => {
    const single = {
      items: undefined,
      moreAt: undefined,
      path: 'payments/{key}',
      notFound: { status404: true, emptyList: false },
    };
    expect(read(json(payment()), single).outcome).toBe('FOUND');
    expect(read(json({}, 404), single).outcome).toBe('NOT_FOUND');
    expect(read(json(payment({ reference: 'ORDER-2' })), single).outcome).toBe('INCONCLUSIVE');
  });

  it('R-058l proof by absence: what is gone keeps the id under which it was asked for', () => {
    const gone = {
      items: undefined,
      moreAt: undefined,
      path: 'payments/{key}',
      notFound: { status404: true, emptyList: false },
    };
    const named = { ...gone, absentId: '{key}' };
    expect(read(json({}, 404), named, 'ABSENCE')).toMatchObject({ outcome: 'NOT_FOUND', resultId: 'k' });
    expect(read(json({}, 404), named, 'PRESENCE')).toMatchObject({ outcome: 'NOT_FOUND', resultId: null });
    expect(read(json({}, 404), gone, 'ABSENCE')).toMatchObject({ outcome: 'NOT_FOUND', resultId: null });
    expect(read(json(payment()), named, 'ABSENCE')).toMatchObject({ outcome: 'FOUND', resultId: 'PAY-1' });
  });

  it('R-058k proof by value: the wanted value, the one from before, another one', () => {
    const value = {
      content: [
        { expected: '{businessRef}', pointer: '/reference', role: 'identifies' },
        {
          expected: '{display:/limit}',
          before: '{display:/oldLimit}',
          pointer: '/limit',
          role: 'proves',
          match: 'numeric',
        },
      ],
    };
    const about = { ...subject, display: { limit: 500, oldLimit: 300 } };
    const limit = (set: unknown) => read(list(payment({ limit: set })), value, 'VALUE', about);
    expect(limit('500.0')).toMatchObject({ outcome: 'FOUND', valueFound: 'WANTED' });
    expect(limit(300)).toMatchObject({ outcome: 'FOUND', valueFound: 'BEFORE' });
    expect(limit(400)).toMatchObject({ outcome: 'FOUND', valueFound: 'OTHER' });
    expect(limit(undefined)).toMatchObject({ outcome: 'INCONCLUSIVE' });
    expect(read(list(payment()), {}, 'VALUE').outcome).toBe('INCONCLUSIVE');
    expect(read(list(payment({ limit: 300 })), value, 'PRESENCE', about).outcome).toBe('MISMATCH');
  });

  it('R-059b only addresses that a person can open are kept', () => {
    const url = (text: unknown) => read(list(payment({ url: text }))).resultUrl;
    expect(url('http://127.0.0.1:4010/payments/PAY-1')).toBe('http://127.0.0.1:4010/payments/PAY-1');
    for (const text of [
      'javascript:alert(1)',
      'https://u:p@pay.example.com/',
      '/payments/1',
      'data:text/html,x',
      7,
    ]) {
      expect(url(text)).toBeNull();
    }
  });
});
