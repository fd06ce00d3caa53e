import { describe, expect, it } from 'vitest';
import { httpConnectorSchema } from './connector-http';
import type { QuestionSubject } from './connector-question';
import { findAmong } from './lookup-finding';
import { judgeFinding, type Proof } from './lookup-verdict';

const base = {
  kind: 'http',
  system: 'payment',
  baseUrl: 'https://pay.example.com/',
  path: 'charges',
  query: { reference: '{key}' },
  items: '/data',
  fields: { id: '/id' },
  content: [{ expected: '{key}', pointer: '/metadata/key', role: 'identifies' }],
  statusRules: [
    { at: '/status', is: ['canceled'], status: 'failed' },
    { at: '/status', is: ['processing', 3], status: 'pending' },
    { at: '/refunded', is: [true], status: 'reversed' },
    { at: '/amount_refunded', above: '0', status: 'reversed' },
    { at: '/dispute', present: true, status: 'reversed' },
    { at: '/paid', is: [true], status: 'done' },
  ],
  notFound: { status404: false, emptyList: true },
  visibilityDelaySeconds: 0,
  queryableSeconds: null,
};
const subject: QuestionSubject = {
  system: 'payment',
  account: null,
  key: 'K-1',
  requestId: null,
  externalRequestKey: null,
  externalJobId: null,
  businessRef: null,
  contentVersion: null,
  resultId: null,
  display: { '/to': 'Kim@Example.com', '/amount': '120.50', '/title': 'Invoice K-1' },
};
const charge = (change: object = {}) => ({
  id: 'ch_1',
  status: 'succeeded',
  paid: true,
  refunded: false,
  amount_refunded: 0,
  dispute: null,
  metadata: { key: 'K-1' },
  ...change,
});
const find = (items: object[], change: object = {}, proof: Proof = 'PRESENCE') =>
  findAmong(items, httpConnectorSchema.parse({ ...base, ...change }), proof, subject);
const statusOf = (change: object, recipe: object = {}) => find([charge(change)], recipe).externalStatus;

describe('statuses by rules', () => {
  it('R-058s the first rule that applies decides, so that an undone success is undone', () => {
    expect(statusOf({})).toBe('done');
    expect(statusOf({ refunded: true })).toBe('reversed');
    expect(statusOf({ amount_refunded: 1 })).toBe('reversed');
    expect(statusOf({ dispute: 'dp_1' })).toBe('reversed');
    expect(statusOf({ status: 'processing', refunded: true })).toBe('pending');
    expect(statusOf({ status: 'canceled', paid: false })).toBe('failed');
    expect(judgeFinding('PRESENCE', find([charge({ refunded: true })]))).toBe('UNCLEAR');
  });

  it('R-058s a value counts by its type: "true" is not true, and "3" is not 3', () => {
    expect(statusOf({ refunded: 'true' })).toBe('done');
    expect(statusOf({ status: 3 })).toBe('pending');
    expect(statusOf({ status: '3' })).toBe('done');
    expect(statusOf({ paid: 'true' })).toBeNull();
  });

  it('R-058s a thing that does not show what would undo it has no status', () => {
    expect(statusOf({ refunded: undefined })).toBeNull();
    expect(statusOf({ amount_refunded: undefined })).toBeNull();
    expect(statusOf({ amount_refunded: {} })).toBeNull();
    const optional = base.statusRules.map((rule) => ({ ...rule, optional: true }));
    expect(statusOf({ refunded: undefined, amount_refunded: undefined }, { statusRules: optional })).toBe(
      'done',
    );
  });

  it('R-058s words come after the rules, and no word or rule means nothing', () => {
    const both = {
      statusRules: [{ at: '/refunded', is: [true], status: 'reversed' }],
      fields: { id: '/id', status: '/status' },
      statuses: { done: ['succeeded'] },
    };
    expect(statusOf({}, both)).toBe('done');
    expect(statusOf({ refunded: true }, both)).toBe('reversed');
    expect(statusOf({ status: 'odd' }, both)).toBeNull();
    expect(statusOf({ paid: false })).toBeNull();
    expect(statusOf({}, { statusRules: [] })).toBe('done');
  });

  it('R-058s places by JSONPath read what is nested', () => {
    const nested = {
      statusRules: [
        { at: "$.refunds[?@.status == 'succeeded'].id", present: true, status: 'reversed' },
        { at: '/paid', is: [true], status: 'done' },
      ],
    };
    expect(statusOf({ refunds: [{ id: 'r', status: 'pending' }] }, nested)).toBe('done');
    expect(statusOf({ refunds: [{ id: 'r', status: 'succeeded' }] }, nested)).toBe('reversed');
  });

  it('R-063e refuses rules that say nothing or too much', () => {
    const accepts = (rule: object) => httpConnectorSchema.safeParse({ ...base, statusRules: [rule] }).success;
    expect(accepts({ at: '/a', status: 'done' })).toBe(false);
    expect(accepts({ at: '/a', is: [true], above: '0', status: 'done' })).toBe(false);
    expect(accepts({ at: '/a', above: 'x', status: 'done' })).toBe(false);
    expect(accepts({ at: '$..a', present: true, status: 'done' })).toBe(false);
    expect(accepts({ at: '/a', present: true, status: 'paid' })).toBe(false);
    expect(accepts({ at: '/a', present: true, status: 'done' })).toBe(true);
  });
});

describe('comparing with real systems', () => {
  const compared = (field: object, thing: object) =>
    find([charge(thing)], { content: [...base.content, field] }).comparison.at(-1);

  it('R-061s letters A to Z alike, amounts in the smallest unit, and a reference as a word of a text', () => {
    const to = { expected: '{display:/to}', pointer: '/to', match: 'caseless' };
    expect(compared(to, { to: 'kim@example.COM' })?.agrees).toBe(true);
    expect(compared(to, { to: 'kim@example.co' })?.agrees).toBe(false);
    const amount = { expected: '{display:/amount}', pointer: '/amount', match: 'numeric', decimals: 2 };
    expect(compared(amount, { amount: 12_050 })).toMatchObject({ found: '120.50', agrees: true });
    expect(compared(amount, { amount: 12_051 })?.agrees).toBe(false);
    expect(compared(amount, { amount: 5 })).toMatchObject({ found: '0.05', agrees: false });
    expect(compared(amount, { amount: 120.5 })?.agrees).toBeNull();
    const body = { expected: '{key}', pointer: '/body', match: 'contains' };
    expect(compared(body, { body: 'made for K-1, see there' })?.agrees).toBe(true);
    for (const text of ['made for K-12', 'made for XK-1', 'K-1-2', 'K-1_b', '가K-1', ''])
      expect(compared(body, { body: text })?.agrees, text).toBe(false);
    expect(compared(body, {})?.agrees).toBeNull();
  });

  it('R-059g of a longer text only the word that was looked for is kept', () => {
    const body = { expected: '{key}', pointer: '/body', match: 'contains' };
    const finding = find([charge({ body: 'private words around K-1 and after' })], {
      content: [...base.content, body],
    });
    expect(JSON.stringify(finding)).not.toContain('private');
    expect(JSON.stringify(find([charge({ body: 'private words' })], { content: [body] }))).not.toContain(
      'private',
    );
  });

  it('R-061t one id is one thing, as it was seen last', () => {
    const twice = find([charge({ paid: false, status: 'processing' }), charge()]);
    expect(twice).toMatchObject({ outcome: 'FOUND', externalStatus: 'done', matches: 1 });
    expect(find([charge(), charge({ id: 'ch_2' })]).outcome).toBe('MULTIPLE');
  });
});
