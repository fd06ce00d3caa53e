import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { shippedRecipes } from '@/lib/lookup/recipes/shipped-recipes';
import { readConfiguration } from './configuration';
import { ROOT } from './toolchain.mjs';

const recipe = {
  system: 'crm',
  baseUrl: 'https://crm.example.com/api',
  path: 'records/{key}',
  fields: { id: '/id' },
  content: [{ expected: '{key}', pointer: '/reference' }],
  notFound: { status404: true, emptyList: false },
  visibilityDelaySeconds: 0,
  queryableSeconds: null,
};
const read = (change: object, allowPrivate = false) =>
  readConfiguration(
    { connectors: [{ connectorId: 'crm', recipe: { ...recipe, ...change }, allowPrivate }] },
    'a test',
  );

describe('readConfiguration', () => {
  it('takes a connector to a public address, and one on this machine where the file says so', () => {
    expect(read({}).connectors).toHaveLength(1);
    expect(read({ baseUrl: 'http://127.0.0.1:4010/' }, true).connectors).toHaveLength(1);
  });

  it('R-063k SS-01 refuses private addresses in the file, whatever it says beside them', () => {
    for (const baseUrl of ['http://127.0.0.1:4010/', 'https://0x7f.1/', 'https://localhost/']) {
      expect(() => read({ baseUrl }), baseUrl).toThrow(/baseUrl/);
    }
    for (const baseUrl of ['https://10.0.0.1/', 'https://169.254.169.254/', 'https://[fd00::1]/']) {
      expect(() => read({ baseUrl }, true), baseUrl).toThrow(/baseUrl/);
    }
  });

  it('takes a policy’s proof of protection, its failure codes and its ways to arrive, and nothing like them', () => {
    const policy = (change: object) =>
      readConfiguration({ policies: [{ tenantId: 't', operation: 'o', ...change }] }, 'a test').policies[0];
    const whole = {
      protectionClass: 'PROVIDER_KEY',
      protectionDocument: 'https://provider.example/keys',
      protectionKeyScope: 'one account',
      protectionValidUntil: '2027-01-01T00:00:00+09:00',
      protectionCheckedBy: 'Kim',
      protectionCheckedAt: '2026-01-01T00:00:00Z',
      outcomeCodes: { NO_SCOPE: { class: 'FIX_FIRST', condition: 'the owner grants it' } },
      retransmissionSeconds: 0,
      investigationSeconds: 3_600,
    };
    expect(policy(whole)).toMatchObject(whole);
    for (const wrong of [
      { outcomeCodes: { X: { class: 'MAYBE' } } },
      { outcomeCodes: { X: 'FINAL' } },
      { protectionValidUntil: 'next year' },
      { offlineReturnSeconds: -1 },
    ])
      expect(() => policy(wrong)).toThrow();
  });

  it('SS-10 refuses a connector that would do more than ask', () => {
    expect(() => read({ method: 'POST' })).toThrow(/method/);
    expect(() => read({ body: '{}' })).toThrow();
  });

  it('R-058z takes a shipped recipe by its name, with its settings, and names what is wrong with them', () => {
    const shipped = (settings: object, name = 'stripe-payment-intent') =>
      readConfiguration(
        { connectors: [{ connectorId: 'stripe', recipe: { shipped: name, settings } }] },
        'a test',
      ).connectors[0]?.recipe;
    expect(shipped({ account: 'acct_1', decimals: '0' })).toMatchObject({
      kind: 'http',
      baseUrl: 'https://api.stripe.com/v1',
      fixedAccount: 'acct_1',
      headers: { authorization: 'Bearer ${secret:STRIPE}' },
    });
    expect(() => shipped({})).toThrow(/account is missing/);
    expect(() => shipped({ account: 'acct_1', decimals: '9' })).toThrow(/decimals has another form/);
    expect(() => shipped({ account: 'acct_1', baseUrl: 'https://evil.example.com' })).toThrow(/no setting/);
    expect(() => shipped({}, 'paypal')).toThrow(/shipped/);
  });

  it('takes a connector to a database by reference', () => {
    const { baseUrl: _address, path: _path, ...rest } = recipe;
    const sql = {
      ...rest,
      kind: 'postgres',
      connection: '${secret:SHOP}',
      sql: 'select 1 as id where $1 = $1',
      parameters: ['{key}'],
    };
    const read = (change: object) =>
      readConfiguration(
        {
          connectors: [{ connectorId: 'shop', recipe: { ...sql, notFound: { emptyList: true }, ...change } }],
        },
        'a test',
      );
    expect(read({}).connectors[0]?.recipe.kind).toBe('postgres');
    expect(() => read({ connection: 'postgres://u:p@db.example.com/shop' })).toThrow(/secret by reference/);
  });

  it('OPERATIONS.md names every shipped recipe with its settings, and its connector to a database is one', () => {
    const operations = readFileSync(path.join(ROOT, 'OPERATIONS.md'), 'utf8');
    const everywhere = [
      'system',
      'secret',
      'account',
      'metadataKey',
      'amountField',
      'currencyField',
      'decimals',
    ];
    for (const { name, settings } of shippedRecipes()) {
      const row = operations.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? '';
      const unnamed = settings
        .map((setting) => setting.name)
        .filter((setting) => !row.includes(`\`${setting}\``));
      // The second Stripe recipe says "as above"; all have a system and a secret.
      expect(
        unnamed.filter((setting) => !everywhere.includes(setting)),
        name,
      ).toEqual([]);
      expect(row, name).not.toBe('');
    }
    const example =
      operations.split('### A PostgreSQL database')[1]?.split('```')[1]?.replace(/^yaml/, '') ?? '';
    expect(readConfiguration(parse(example), 'OPERATIONS.md').connectors[0]?.recipe.kind).toBe('postgres');
  });
});
