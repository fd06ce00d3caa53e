import { describe, expect, it } from 'vitest';
import { httpConnectorSchema } from './connector-http';
import type { QuestionSubject } from './connector-question';
import { readAnswer, type HttpAnswer } from './lookup-answer';
import type { Proof } from './lookup-verdict';

const base = {
  kind: 'http',
  system: 'payment',
  baseUrl: 'https://pay.example.com/',
  path: 'payments',
  query: { reference: '{businessRef}' },
  items: '/items',
  fields: { id: '/id' },
  content: [{ expected: '{businessRef}', pointer: '/reference', role: 'identifies' }],
  notFound: { status404: true, emptyList: true },
  visibilityDelaySeconds: 0,
  queryableSeconds: null,
};
const subject: QuestionSubject = {
  system: 'payment',
  account: null,
  key: 'k',
  requestId: null,
  externalRequestKey: null,
  externalJobId: null,
  businessRef: 'ORDER-1',
  contentVersion: null,
  resultId: null,
  display: {},
};
const payment = (change: object = {}) => ({ id: 'PAY-1', reference: 'ORDER-1', ...change });
const json = (body: unknown, status = 200): HttpAnswer => ({
  status,
  mediaType: 'application/json',
  text: JSON.stringify(body),
});
const list = (...items: object[]) => json({ items });
const first = { asked: ['https://pay.example.com/payments?reference=ORDER-1'], items: [], count: 0 };
const read = (answer: HttpAnswer, change: object = {}, proof: Proof = 'PRESENCE') => {
  const step = readAnswer(answer, httpConnectorSchema.parse({ ...base, ...change }), proof, subject, first);
  if ('next' in step) throw new Error(`goes on at ${step.next}`);
  return step.finding;
};

describe('readAnswer', () => {
  it('R-058t gone (410) says "not there" only where that was wanted, and by the rule', () => {
    const rule = { notFound: { status404: true, emptyList: true, status410: true } };
    expect(read(json({}, 410), rule, 'ABSENCE')).toMatchObject({ outcome: 'NOT_FOUND' });
    expect(read(json({}, 410), rule, 'PRESENCE')).toMatchObject({
      outcome: 'INCONCLUSIVE',
      errorClass: 'GONE',
    });
    expect(read(json({}, 410), {}, 'ABSENCE')).toMatchObject({ outcome: 'INCONCLUSIVE', errorClass: 'GONE' });
    expect(read({ status: 410, mediaType: 'text/html', text: '' }, rule, 'ABSENCE').outcome).toBe(
      'INCONCLUSIVE',
    );
  });

  it('R-058t a 403 that asks us to wait is no refusal of credentials', () => {
    expect(read({ ...json({}, 403), isThrottled: true })).toMatchObject({ errorClass: 'RATE_LIMITED' });
    expect(read(json({}, 403))).toMatchObject({ errorClass: 'NO_PERMISSION' });
  });

  it('R-058q a list is read to its end, or proves nothing but two effects', () => {
    const paged = { paging: { by: 'next', at: '/next', pages: 3 }, totalAt: '/total' };
    const connector = httpConnectorSchema.parse({ ...base, ...paged });
    const step = (body: object, asked: number, items: object[] = []) =>
      readAnswer(json(body), connector, 'PRESENCE', subject, {
        asked: [...first.asked, 'https://pay.example.com/2', 'https://pay.example.com/3'].slice(0, asked),
        items,
        count: items.length,
      });
    const other = payment({ id: 'PAY-0', reference: 'ORDER-0' });
    expect(step({ items: [other], next: '/p?2', total: 3 }, 1)).toEqual({
      next: 'https://pay.example.com/p?2',
      reading: { items: [other], count: 1 },
    });
    const finding = (read: ReturnType<typeof step>) => ('finding' in read ? read.finding : null);
    expect(finding(step({ items: [payment()], next: null, total: 2 }, 2, [other]))).toMatchObject({
      outcome: 'FOUND',
    });
    expect(finding(step({ items: [payment()], next: '/p?4', total: 9 }, 3, [other]))).toMatchObject({
      outcome: 'INCONCLUSIVE',
      errorClass: 'MORE_PAGES',
    });
    expect(finding(step({ items: [], next: null, total: 2 }, 2, [other]))).toMatchObject({
      errorClass: 'MORE_PAGES',
    });
    expect(finding(step({ items: [payment({ id: 'PAY-2' })], next: '/p?4' }, 3, [payment()]))).toMatchObject({
      outcome: 'MULTIPLE',
    });
    const full = { fullPage: 2 };
    expect(read(list(payment({ reference: 'A' }), payment({ reference: 'B' })), full)).toMatchObject({
      errorClass: 'MORE_PAGES',
    });
    expect(read(list(payment({ reference: 'A' })), full)).toMatchObject({ outcome: 'NOT_FOUND' });
    const vanished = readAnswer(json({}, 404), connector, 'PRESENCE', subject, {
      asked: ['a', 'b'],
      items: [payment()],
      count: 1,
    });
    expect(vanished).toMatchObject({ finding: { outcome: 'INCONCLUSIVE' } });
  });

  it('R-058q what a recipe does not pick counts for the end of a list all the same', () => {
    const picking = {
      items: "$.items[?@.kind == 'sale']",
      paging: { by: 'number', parameter: 'page', first: 1 },
    };
    const ask = (body: object, change: object = {}, asked = first.asked) =>
      readAnswer(
        json(body),
        httpConnectorSchema.parse({ ...base, ...picking, ...change }),
        'PRESENCE',
        subject,
        { asked, items: [], count: 0 },
      );
    const fee = { id: 'F-1', kind: 'fee' };
    expect(ask({ items: [fee, fee] })).toMatchObject({
      next: `${first.asked[0]}&page=2`,
      reading: { items: [], count: 2 },
    });
    expect(ask({ items: [] })).toMatchObject({ finding: { outcome: 'NOT_FOUND' } });
    expect(
      ask({ items: [fee, { ...payment(), kind: 'sale' }], total: 2 }, { totalAt: '/total' }),
    ).toMatchObject({
      finding: { outcome: 'FOUND' },
    });
    const whole = { paging: undefined, fullPage: 2 };
    expect(ask({ items: [fee, fee] }, whole)).toMatchObject({ finding: { errorClass: 'MORE_PAGES' } });
    const last = { paging: { by: 'last', at: '/id', parameter: 'after' }, moreAt: '/more' };
    expect(ask({ items: [payment(), fee], more: true }, last)).toMatchObject({
      next: `${first.asked[0]}&after=F-1`,
    });
  });
});
