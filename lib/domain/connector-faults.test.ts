import { describe, expect, it } from 'vitest';
import { connectorSchema } from './connector';
import { placeOfFault } from './connector-form';

describe('a fault of a recipe', () => {
  it.each([
    ['content.1.tolerance', 'content', 2],
    ['statusRules.0.is', 'statusRules', 1],
    ['statusRules.11', 'statusRules', 12],
    ['fields.id', 'id', null],
    ['headers.x-api-key', 'headers', null],
    ['query.q.phrase', 'query', null],
    ['parameters.0', 'parameters', null],
    ['statuses', 'done', null],
    ['notFound', 'status404', null],
    ['queryableSeconds', 'queryableSeconds', null],
    ['paging', 'pagingBy', null],
    ['paging.parameter', 'pagingParameter', null],
  ])('R-063r R-063u the fault %s stands at %s, line %s', (fault, key, line) => {
    expect(placeOfFault(fault)).toEqual({ key, line });
  });

  it('R-063r a fault of what no entry describes stands nowhere', () => {
    expect(placeOfFault('retries.on')).toBeNull();
  });

  const HTTP = {
    ...{ system: ' ', baseUrl: 'x', place: '', path: '..', query: { 'a b': '{' }, headers: { Host: '' } },
    ...{ items: 'x', moreAt: 'x', errorAt: 'x', fields: { id: 'x', status: 'x', account: 'x', url: 'x' } },
    ...{ fixedAccount: '', content: [{ expected: 'x', pointer: 'x', tolerance: '-1' }], absentId: 'x' },
    ...{ statuses: { done: [''] }, notFound: {}, visibilityDelaySeconds: -1, queryableSeconds: 0 },
    ...{
      ratePerSecond: 0,
      timeoutMs: 0,
      maxBytes: 0,
      attempts: 0,
      backoffSeconds: 0,
      totalAt: 'x',
      fullPage: 0,
    },
    ...{
      statusRules: [{ at: 'x', is: [], status: 'sent' }],
      paging: { by: 'last', at: 'x', parameter: ' ', pages: 1 },
    },
  };
  const POSTGRES = {
    ...{ kind: 'postgres', system: ' ', connection: 'x', sql: 'delete', parameters: [], rowLimit: 1 },
    ...{ fields: { id: 'x' }, content: [], notFound: {}, visibilityDelaySeconds: -1, queryableSeconds: 0 },
  };
  it.each([
    ['of the web', HTTP, 25],
    ['of a database', POSTGRES, 9],
    ['of paging that nobody knows', { ...HTTP, paging: { by: 'guess' } }, 20],
    ['of no kind', { kind: 'ftp' }, 1],
  ])('R-063r R-063u every fault of the schema has a field: %s', (_what, broken, atLeast) => {
    const read = connectorSchema.safeParse(broken);
    const faults = read.error?.issues.map(({ path }) => path.join('.')) ?? [];
    expect(faults.length).toBeGreaterThanOrEqual(atLeast);
    expect(faults.filter((fault) => placeOfFault(fault) === null)).toEqual([]);
  });
});
