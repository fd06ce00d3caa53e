import { describe, expect, it } from 'vitest';
import { connectorSchema, secretsOf } from './connector';
import { splitPath } from './connector-template';

const recipe = {
  system: 'crm',
  baseUrl: 'https://crm.example.com/api/v2/',
  path: 'records',
  query: { external_reference: '{businessRef}' },
  headers: { authorization: 'Bearer ${secret:CRM_TOKEN}' },
  items: '/items',
  fields: { id: '/id', status: '/status', account: '/account', url: '/url' },
  content: [{ expected: '{display:/amount}', pointer: '/amount', match: 'numeric', tolerance: '0.01' }],
  statuses: { done: ['active'], reversed: ['deleted'] },
  notFound: { status404: false, emptyList: true },
  visibilityDelaySeconds: 20,
  queryableSeconds: null,
};
const accepts = (change: object) => connectorSchema.safeParse({ ...recipe, ...change }).success;

describe('connectorSchema', () => {
  it('R-063a takes a complete recipe and fills in its limits', () => {
    const connector = connectorSchema.parse(recipe);
    expect(connector).toMatchObject({
      method: 'GET',
      ratePerSecond: 5,
      timeoutMs: 5_000,
      maxBytes: 1_048_576,
      attempts: 8,
    });
    expect(secretsOf(connector)).toEqual(['CRM_TOKEN']);
  });

  it('R-057a SS-10 is GET without a body and without headers that change the method', () => {
    expect(accepts({ method: 'GET' })).toBe(true);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'get']) expect(accepts({ method })).toBe(false);
    expect(accepts({ body: '{}' })).toBe(false);
    const headers = [
      'x-http-method-override',
      'x-http-method',
      'x-method-override',
      'x-original-url',
      'host',
      'cookie',
      'content-length',
      'content-type',
      'transfer-encoding',
      'x-forwarded-host',
      'forwarded',
      'proxy-authorization',
      'if-none-match',
      'Authorization',
      'bad header',
    ];
    for (const name of headers) expect(accepts({ headers: { [name]: 'x' } }), name).toBe(false);
    expect(accepts({ headers: { 'x-api-key': '${secret:KEY}' } })).toBe(true);
  });

  it('R-063b takes secrets by reference only, and only in headers', () => {
    expect(accepts({ headers: { authorization: 'Bearer ${secret:lower}' } })).toBe(false);
    expect(accepts({ headers: { authorization: '${env:HOME}' } })).toBe(false);
    expect(accepts({ headers: { 'x-key': '{key}' } })).toBe(false);
    expect(accepts({ headers: { 'x-key': 'a\r\nb: c' } })).toBe(false);
    expect(accepts({ query: { token: '${secret:CRM_TOKEN}' } })).toBe(false);
    expect(accepts({ path: 'records/${secret:CRM_TOKEN}' })).toBe(false);
  });

  it('R-063c fixes scheme, host, port and base path', () => {
    for (const baseUrl of [
      'ftp://crm.example.com/',
      'https://user:pass@crm.example.com/',
      'https://crm.example.com/?x=1',
      'https://crm.example.com/#x',
      'https:\\\\crm.example.com',
      '/records',
      'https://{account}.example.com/@',
    ]) {
      expect(accepts({ baseUrl }), baseUrl).toBe(false);
    }
  });

  it('R-063d a template part is fixed text or one whole placeholder', () => {
    for (const path of ['records/{key}', 'a/{display:/order/no}/b', 'a/{resultId}', 'v1.2/x-y_z']) {
      expect(accepts({ path }), path).toBe(true);
    }
    for (const path of [
      'records/pre{key}',
      '{key}{key}',
      '{unknown}',
      '{display:}',
      'a//b',
      '/a',
      'a/',
      '..',
      'a/../b',
      '.',
      'a?b',
      'a#b',
      'a%2fb',
      'a\\b',
      '{key',
      '',
    ]) {
      expect(accepts({ path }), path).toBe(false);
    }
    expect(splitPath('a/{display:/order/no}/b')).toEqual(['a', '{display:/order/no}', 'b']);
  });

  it('R-061e needs at least one comparison of content', () => {
    expect(accepts({ content: [] })).toBe(false);
    expect(accepts({ content: undefined })).toBe(false);
  });

  it('R-057b has bounds for time, size, rate and tries', () => {
    const outside = [
      { timeoutMs: 5_001 },
      { maxBytes: 1_048_577 },
      { ratePerSecond: 0 },
      { ratePerSecond: 101 },
      { attempts: 0 },
      { attempts: 51 },
      { backoffSeconds: 0 },
      { visibilityDelaySeconds: -1 },
      { queryableSeconds: 0 },
    ];
    for (const change of outside) expect(accepts(change), JSON.stringify(change)).toBe(false);
  });

  it('R-063e refuses status rules that contradict themselves, and unknown members', () => {
    expect(accepts({ statuses: { done: ['active'], failed: ['active'] } })).toBe(false);
    expect(accepts({ statuses: undefined })).toBe(false);
    expect(accepts({ fields: { id: '/id' } })).toBe(false);
    expect(accepts({ fields: { id: 'id' } })).toBe(false);
    expect(accepts({ items: undefined })).toBe(false);
    expect(accepts({ script: 'x' })).toBe(false);
  });

  it('DO-01 R-058v judges hostile texts of any length and nesting in every member, and ends', () => {
    const texts = [
      '/'.repeat(50_000),
      'a/'.repeat(25_000),
      '{'.repeat(50_000),
      '{key}'.repeat(10_000),
      '"'.repeat(50_000),
      '$' + '{secret:'.repeat(6_000),
      `{display:${'/'.repeat(280)}`,
      `{display:${'/'.repeat(50_000)}`,
      `{display:${'a/'.repeat(140)}!{`,
    ];
    for (const text of texts) {
      const everywhere = {
        ...recipe,
        path: text,
        query: { q: text, p: { phrase: text, quoting: 'double' } },
        headers: { authorization: text },
        items: text,
        fields: { id: text },
        content: [{ expected: text, pointer: text, match: 'numeric', tolerance: text }],
        absentId: text,
        paging: { by: 'cursor', at: text, parameter: text },
        statusRules: [{ at: text, above: text, status: 'done' }],
      };
      expect(connectorSchema.safeParse(everywhere).success).toBe(false);
      const database = {
        kind: 'postgres',
        connection: text,
        sql: `select ${text}`,
        parameters: [text],
        fields: { id: text },
      };
      expect(connectorSchema.safeParse({ ...everywhere, ...database }).success).toBe(false);
    }
  });
});
