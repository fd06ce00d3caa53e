import { describe, expect, it } from 'vitest';
import { connectorSchema } from './connector';
import { readList } from './json-place';
import { EVERY_FIELD, type ConnectorFieldKey } from './connector-fields';
import {
  draftOf,
  fieldsNamedTwice,
  fieldsOf,
  FIRST_DRAFT,
  missingFields,
  placeholdersOf,
  recipeDifference,
  recipeOf,
  type ConnectorDraft,
  type FieldValue,
} from './connector-form';

/** Says something in every member, but for those of paging and of databases. */
const WHOLE = connectorSchema.parse({
  system: 'crm',
  baseUrl: 'https://crm.example.com/api',
  place: 'CRM, tab Orders',
  path: 'records/{display:/a~1b}',
  query: { reference: '{key}', q: { phrase: 'type:order {key}', quoting: 'single-doubled' } },
  headers: { authorization: 'Bearer ${secret:CRM}' },
  items: '/items',
  moreAt: '/more',
  totalAt: '/total',
  fullPage: 100,
  errorAt: '/error',
  statusRules: [
    { at: '/flags/gone', is: [true, 'true', 'a, b', '', 'say "x"', null, -1.5, '7'], status: 'reversed' },
    { at: '/refunded', above: '-0.5', optional: true, status: 'failed' },
    { at: '/sent_at', present: true, status: 'done' },
  ],
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

const DATABASE = connectorSchema.parse({
  kind: 'postgres',
  system: 'orders',
  connection: '${secret:ORDERS_DB}',
  sql: 'select id, state, amount from orders\nwhere reference = $1 and account = $2',
  parameters: ['{key}', '{account}'],
  rowLimit: 10,
  fields: { id: '/id', status: '/state' },
  content: [{ expected: '{display:/amount}', pointer: '/amount', match: 'numeric', decimals: 2 }],
  statuses: { done: ['shipped'] },
  notFound: { emptyList: true },
  visibilityDelaySeconds: 5,
  queryableSeconds: null,
});

/** Each way in which a list goes on. */
const PAGINGS = [
  { by: 'next', at: '/next', pages: 20 },
  { by: 'link', pages: 2 },
  { by: 'cursor', at: '/meta/next', parameter: 'page[after]', pages: 5 },
  { by: 'last', at: '/id', parameter: 'starting_after', pages: 5 },
  { by: 'number', parameter: 'offset', first: 0, step: 100, pages: 5 },
] as const;
const paged = (paging: object) => {
  const { fullPage: _without, ...recipe } = WHOLE as typeof WHOLE & { fullPage?: number };
  return connectorSchema.parse({ ...recipe, paging });
};

const typed = (draft: ConnectorDraft, change: Partial<Record<ConnectorFieldKey, FieldValue>>) => ({
  ...draft,
  values: { ...draft.values, ...change },
});

describe('a recipe as a form', () => {
  it('R-063r holds every member, and says the same again', () => {
    expect(connectorSchema.parse(recipeOf(draftOf(WHOLE)))).toEqual(WHOLE);
    const leaves = fieldsOf(draftOf(WHOLE)).filter(({ key }) => {
      const value = draftOf(WHOLE).values[key];
      return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    });
    // Only a word list that is empty, and a list that is not paged.
    expect(leaves.map(({ key }) => key)).toEqual(['failed', 'pagingBy']);
  });

  it.each(PAGINGS)('R-063u holds a list that goes on by $by, whole, and says the same again', (paging) => {
    const recipe = paged(paging);
    const draft = draftOf(recipe);
    expect(draft.rest).toEqual({});
    expect(connectorSchema.parse(recipeOf(draft))).toEqual(recipe);
    expect(missingFields(draft)).toEqual([]);
  });

  it('R-063u holds a question to a database, whole, and asks nothing that only the web has', () => {
    const draft = draftOf(DATABASE);
    expect(draft.rest).toEqual({});
    expect(connectorSchema.parse(recipeOf(draft))).toEqual(DATABASE);
    const asked = fieldsOf(draft).map(({ key }) => key);
    expect(asked).toContain('sql');
    for (const key of ['baseUrl', 'path', 'headers', 'pagingBy', 'status404'] as const)
      expect(asked).not.toContain(key);
  });

  it('R-063u writes what the choices ask for and nothing else, and keeps the rest in the form', () => {
    const numbered = draftOf(paged(PAGINGS[4]));
    const linked = typed(numbered, { pagingBy: 'link' });
    expect(recipeOf(linked)['paging']).toEqual({ by: 'link', pages: 5 });
    expect(recipeOf(typed(linked, { pagingBy: '' }))).not.toHaveProperty('paging');
    expect(recipeOf(typed(linked, { pagingBy: 'number' }))).toEqual(recipeOf(numbered));
    const other = typed(draftOf(WHOLE), { kind: 'postgres' });
    expect(missingFields(other)).toEqual(['connection', 'sql', 'parameters']);
    expect(recipeOf(other)).not.toHaveProperty('baseUrl');
    expect(recipeOf(typed(other, { kind: 'http' }))).toEqual(recipeOf(draftOf(WHOLE)));
  });

  it('R-063u says that an answer is itself the list', () => {
    const root = connectorSchema.parse({ ...WHOLE, items: '' });
    const recipe = connectorSchema.parse(recipeOf(draftOf(root)));
    expect(recipe).toEqual({ ...root, items: '$' });
    expect(recipeDifference(root, recipe)).toEqual([]);
    for (const { items } of [root, recipe] as { items?: string }[])
      expect(readList([{ id: 1 }], items ?? 'absent')).toEqual({ all: [{ id: 1 }], picked: [{ id: 1 }] });
  });

  it('R-063u keeps the order of status rules, and what is no list of values as it was typed', () => {
    const rows = draftOf(WHOLE).values.statusRules as readonly Record<string, string>[];
    const turned = recipeOf(typed(draftOf(WHOLE), { statusRules: [...rows].reverse() }))['statusRules'];
    expect((turned as { at: string }[]).map(({ at }) => at)).toEqual([
      '/sent_at',
      '/refunded',
      '/flags/gone',
    ]);
    const broken = typed(draftOf(WHOLE), { statusRules: [{ ...rows[0], seen: 'a, "b' }] });
    expect(recipeOf(broken)['statusRules']).toMatchObject([{ is: 'a, "b' }]);
    expect(connectorSchema.safeParse(recipeOf(broken)).success).toBe(false);
  });

  it.each([
    ['a member', { retries: { on: [503] } }],
    [
      'a member of a part',
      { fields: { id: '/id', etag: '/etag' }, notFound: { emptyList: true, status451: true } },
    ],
    [
      'a member of a line',
      { content: [{ expected: '{key}', pointer: '/r', weight: { of: 2 }, tolerance: ['1'] }] },
    ],
    [
      'a member of a rule',
      { statusRules: [{ at: '/s', is: ['a'], above: '1', unless: '/t', status: 'done' }] },
    ],
    [
      'a value of the query',
      { query: { q: { phrase: 'x {key}', quoting: 'double', fold: true }, r: { any: [1] } } },
    ],
    ['a way of paging', { items: '/items', paging: { by: 'link', pages: 5, size: 7 } }],
  ])('R-063u loses nothing that it does not know: %s', (_what, members) => {
    expect(recipeOf(draftOf(members))).toMatchObject(members);
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
    for (const strange of [null, 'x', [], { fields: 7, content: 'x', query: [], statusRules: [1] }])
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

  it('R-063u says of each field what it depends on, by choices that there are', () => {
    for (const { when = {} } of EVERY_FIELD)
      for (const [key, says] of Object.entries(when)) {
        const choices = EVERY_FIELD.find((field) => field.key === key)?.choices ?? [];
        expect(choices).toEqual(expect.arrayContaining([...says]));
      }
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
      retries: 1,
    };
    expect(recipeDifference(WHOLE, changed)).toEqual([
      { key: 'path', from: 'records/{display:/a~1b}', to: 'orders/{key}' },
      { key: 'status404', from: true, to: false },
      { member: 'retries', from: '', to: '1' },
    ]);
  });
});

it('R-063u two kinds differ in all that only one of them says', () => {
  const keys = recipeDifference(WHOLE, DATABASE).map((each) => ('key' in each ? each.key : each.member));
  for (const key of ['kind', 'baseUrl', 'connection', 'sql', 'status404', 'moreAt'])
    expect(keys).toContain(key);
});

it('R-063s the placeholders that a try asks values for', () => {
  expect(placeholdersOf(WHOLE).sort()).toEqual(
    ['{account}', '{display:/a~1b}', '{display:/amount}', '{display:/old}', '{key}', '{resultId}'].sort(),
  );
});
