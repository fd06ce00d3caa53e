import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { httpConnectorSchema } from './connector-http';
import {
  buildHttpQuestion as buildQuestion,
  doubtAboutTarget,
  type QuestionSubject,
} from './connector-question';

const connector = httpConnectorSchema.parse({
  kind: 'http',
  system: 'crm',
  baseUrl: 'https://crm.example.com/api/',
  path: 'records/{key}/parts',
  query: { ref: '{display:/order/no}', kind: 'part' },
  headers: { authorization: 'Bearer ${secret:CRM_TOKEN}' },
  fields: { id: '/id' },
  content: [{ expected: '{key}', pointer: '/key' }],
  notFound: { status404: true, emptyList: false },
  visibilityDelaySeconds: 0,
  queryableSeconds: null,
});
const subject: QuestionSubject = {
  system: 'crm',
  account: 'north',
  key: 'order-1',
  requestId: null,
  externalRequestKey: null,
  externalJobId: null,
  businessRef: null,
  contentVersion: null,
  resultId: null,
  display: { '/order/no': 'A 1&b=2' },
};

describe('buildQuestion', () => {
  it('R-057c fills each value into one encoded place and keeps references for secrets', () => {
    const result = buildQuestion(connector, subject);
    expect(result).toEqual({
      ok: true,
      question: {
        method: 'GET',
        url: 'https://crm.example.com/api/records/order-1/parts?ref=A%201%26b%3D2&kind=part',
        headers: { authorization: 'Bearer ${secret:CRM_TOKEN}' },
      },
    });
  });

  it('reads a display field that is kept nested', () => {
    const result = buildQuestion(connector, { ...subject, display: { order: { no: 7 } } });
    expect(result).toMatchObject({
      question: { url: 'https://crm.example.com/api/records/order-1/parts?ref=7&kind=part' },
    });
  });

  it.each([
    '..',
    '.',
    '../admin',
    '%2e%2e',
    '%2E%2E/x',
    'a/../b',
    '..\\x',
    '．．',
    '..;x',
    ' .. ',
    'a\r\nHost: x',
    'x\u0000',
    '\ud800',
    'k'.repeat(100_000),
  ])('R-057d SS-05 refuses %j as a path segment', (key) => {
    expect(buildQuestion(connector, { ...subject, key })).toEqual({ ok: false, fault: 'VALUE_REFUSED' });
  });

  it.each([
    'a/b',
    'a\\b',
    '?x',
    '#x',
    '@host',
    ';v',
    '//evil.example.com',
    'a∕b',
    'a／b',
    ':8080',
    '%2f',
    "o'clock(1)!*",
  ])('R-057d SS-05 keeps %j inside its one segment', (key) => {
    const result = buildQuestion(connector, { ...subject, key });
    if (!result.ok) throw new Error(result.fault);
    const url = new URL(result.question.url);
    expect(url.origin).toBe('https://crm.example.com');
    const segments = url.pathname.split('/');
    expect([segments.slice(0, 3), segments.slice(4)]).toEqual([['', 'api', 'records'], ['parts']]);
    expect(decodeURIComponent(segments[3] ?? '')).toBe(key);
  });

  it('R-057d SS-05 no text at all reaches another origin, path or number of segments', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }), (key) => {
        const result = buildQuestion(connector, { ...subject, key, display: { '/order/no': key } });
        if (!result.ok) return result.fault === 'VALUE_REFUSED';
        const url = new URL(result.question.url);
        const segments = url.pathname.split('/');
        return (
          url.origin === 'https://crm.example.com' &&
          segments.length === 5 &&
          segments[2] === 'records' &&
          decodeURIComponent(segments[3] ?? '') === key &&
          url.searchParams.get('ref') === key &&
          [...url.searchParams].length === 2 &&
          url.hash === ''
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it("R-060c asks nothing when a value is missing or the execution is another system's", () => {
    expect(buildQuestion(connector, { ...subject, display: {} })).toEqual({
      ok: false,
      fault: 'VALUE_MISSING',
    });
    expect(buildQuestion(connector, { ...subject, key: '' })).toEqual({ ok: false, fault: 'VALUE_MISSING' });
    expect(buildQuestion(connector, { ...subject, system: 'mail' })).toEqual({
      ok: false,
      fault: 'OTHER_SYSTEM',
    });
    expect(buildQuestion(connector, { ...subject, system: null })).toMatchObject({ ok: true });
  });
});

describe('doubtAboutTarget', () => {
  it('R-064m an empty answer speaks for the system and account that the execution names, and for no other', () => {
    const doubt = (change: Partial<QuestionSubject>, fixedAccount?: string) =>
      doubtAboutTarget({ ...connector, fixedAccount }, { ...subject, ...change });
    expect(doubt({})).toBeNull();
    expect(doubt({ account: null })).toBeNull();
    expect(doubt({ system: null })).toBe('TARGET_UNNAMED');
    expect(doubt({ system: null, account: null }, 'north')).toBe('TARGET_UNNAMED');
    expect(doubt({}, 'north')).toBeNull();
    expect(doubt({ account: null }, 'north')).toBe('TARGET_UNNAMED');
    expect(doubt({}, 'south')).toBe('OTHER_ACCOUNT');
  });
});
