import { describe, expect, it } from 'vitest';
import { connectorSchema } from './connector';
import {
  CONNECTOR_FIELDS,
  draftOf,
  fieldOfFault,
  fieldsNamedTwice,
  FIRST_DRAFT,
  missingFields,
  placeholdersOf,
  recipeDifference,
  recipeOf,
  type ConnectorDraft,
  type ConnectorFieldKey,
  type FieldValue,
} from './connector-form';

/** Says something in every member. */
const WHOLE = connectorSchema.parse({
  system: 'crm',
  baseUrl: 'https://crm.example.com/api',
  place: 'CRM, tab Orders',
  path: 'records/{display:/a~1b}',
  query: { reference: '{key}', account: '{account}' },
  headers: { authorization: 'Bearer ${secret:CRM}' },
  items: '/items',
  moreAt: '/more',
  errorAt: '/error',
  fields: { id: '/id', status: '/status', account: '/account', url: '/url' },
  fixedAccount: 'main',
  content: [
    { expected: '{key}', pointer: '/reference', role: 'identifies' },
    {
      expected: '{display:/amount}',
      pointer: '/amount',
      match: 'numeric',
      tolerance: '0.01',
      role: 'proves',
      before: '{display:/old}',
    },
  ],
  statuses: { done: ['ok', 'all right'], pending: ['new'], failed: [], reversed: ['gone'] },
  notFound: { status404: true, emptyList: true },
  absentId: '{resultId}',
  visibilityDelaySeconds: 30,
  queryableSeconds: 86_400,
  ratePerSecond: 0.5,
});

const typed = (draft: ConnectorDraft, change: Partial<Record<ConnectorFieldKey, FieldValue>>) => ({
  ...draft,
  values: { ...draft.values, ...change },
});

describe('a recipe as a form', () => {
  it('R-063r holds every member, and says the same again', () => {
    expect(connectorSchema.parse(recipeOf(draftOf(WHOLE)))).toEqual(WHOLE);
    const leaves = CONNECTOR_FIELDS.filter(({ key }) => {
      const value = draftOf(WHOLE).values[key];
      return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    });
    // Only a word list that is empty.
    expect(leaves.map(({ key }) => key)).toEqual(['failed']);
  });

  it('R-063r loses no member that it does not know', () => {
    const recipe = { ...WHOLE, paging: { next: '/next' } };
    expect(recipeOf(draftOf(recipe))).toMatchObject({ paging: { next: '/next' } });
  });

  it('R-063r keeps what is wrong as it was typed, so that it can be named', () => {
    const recipe = recipeOf(typed(draftOf(WHOLE), { visibilityDelaySeconds: 'soon', attempts: '1e3' }));
    expect(recipe).toMatchObject({ visibilityDelaySeconds: 'soon', attempts: '1e3' });
  });

  it('R-063r writes an empty end of the time as "never", and leaves the usual out', () => {
    const recipe = recipeOf(
      typed(draftOf(WHOLE), { queryableSeconds: '', attempts: ' ', done: '', pending: '', reversed: '' }),
    );
    expect(recipe['queryableSeconds']).toBeNull();
    expect(recipe).not.toHaveProperty('attempts');
    expect(recipe).not.toHaveProperty('statuses');
  });

  it('R-063r reads what is no recipe as an empty form', () => {
    for (const strange of [null, 'x', [], { fields: 7, content: 'x', query: [] }])
      expect(missingFields(draftOf(strange))).toContain('system');
  });

  it('R-063r names what is missing, and names that stand twice', () => {
    expect(missingFields(FIRST_DRAFT)).toEqual(['system', 'baseUrl', 'path', 'id', 'visibilityDelaySeconds']);
    expect(missingFields(draftOf(WHOLE))).toEqual([]);
    const twice = [
      { name: 'a', value: '1' },
      { name: 'a', value: '2' },
    ];
    expect(fieldsNamedTwice(typed(draftOf(WHOLE), { query: twice }))).toEqual(['query']);
    expect(fieldsNamedTwice(draftOf(WHOLE))).toEqual([]);
  });

  it.each([
    ['content.1.tolerance', 'content'],
    ['fields.id', 'id'],
    ['headers.x-api-key', 'headers'],
    ['statuses', 'done'],
    ['notFound', 'status404'],
    ['queryableSeconds', 'queryableSeconds'],
    ['paging.next', null],
  ])('R-063r the fault %s stands at %s', (fault, key) => {
    expect(fieldOfFault(fault)).toBe(key);
  });

  it('R-063r every fault of the schema has a field', () => {
    const broken = {
      ...{ system: ' ', baseUrl: 'x', place: '', path: '..', query: { 'a b': '{' }, headers: { Host: '' } },
      ...{ items: 'x', moreAt: 'x', errorAt: 'x', fields: { id: 'x', status: 'x', account: 'x', url: 'x' } },
      ...{ fixedAccount: '', content: [{ expected: 'x', pointer: 'x', tolerance: '-1' }], absentId: 'x' },
      ...{ statuses: { done: [''] }, notFound: {}, visibilityDelaySeconds: -1, queryableSeconds: 0 },
      ...{ ratePerSecond: 0, timeoutMs: 0, maxBytes: 0, attempts: 0, backoffSeconds: 0 },
    };
    const read = connectorSchema.safeParse(broken);
    const faults = read.error?.issues.map(({ path }) => path.join('.')) ?? [];
    expect(faults.length).toBeGreaterThan(20);
    expect(faults.filter((fault) => fieldOfFault(fault) === null)).toEqual([]);
  });
});

describe('two recipes', () => {
  it('R-063p R-063r differ in what one says otherwise, whatever the order of members', () => {
    if (WHOLE.kind !== 'http') throw new Error('bug: the recipe is one by HTTP');
    const { query, ...rest } = WHOLE;
    const turned = { ...rest, query: Object.fromEntries(Object.entries(query).reverse()) };
    expect(recipeDifference(WHOLE, turned)).toEqual([]);
    const changed = {
      ...WHOLE,
      path: 'orders/{key}',
      notFound: { status404: false, emptyList: true },
      paging: 1,
    };
    expect(recipeDifference(WHOLE, changed)).toEqual([
      { key: 'path', from: 'records/{display:/a~1b}', to: 'orders/{key}' },
      { key: 'status404', from: true, to: false },
      { member: 'paging', from: '', to: '1' },
    ]);
  });
});

it('R-063s the placeholders that a try asks values for', () => {
  expect(placeholdersOf(WHOLE).sort()).toEqual(
    ['{account}', '{display:/a~1b}', '{display:/amount}', '{display:/old}', '{key}', '{resultId}'].sort(),
  );
});
