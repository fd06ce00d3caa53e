import type { Mutant } from './mutant';

const PAGING = 'lib/domain/connector-paging.ts';
const PHRASE = 'lib/domain/search-phrase.ts';
const PLACE = 'lib/domain/json-place.ts';
const FINDING = 'lib/domain/lookup-finding.ts';
const ANSWER = 'lib/domain/lookup-answer.ts';
const DATABASE = 'lib/lookup/ask-postgres.ts';
const STRIPE = 'lib/lookup/recipes/stripe.ts';
const GITHUB = 'lib/lookup/recipes/github.ts';
const KINDS = 'prisma/migrations/20261204000300_connector_kinds/migration.sql';

/** Of what a connector's recipe can say: lists, search languages, places, statuses, databases. */
export const MUTANTS_OF_RECIPES: readonly Mutant[] = [
  {
    rule: 'R-058q',
    file: ANSWER,
    find: "if (!isWhole && finding.outcome !== 'MULTIPLE')",
    replace: 'if (false)',
  },
  {
    rule: 'R-058q',
    file: ANSWER,
    find: "const isWhole = end === 'END' && isCounted !== false;",
    replace: "const isWhole = end === 'END';",
  },
  { rule: 'R-058q', file: ANSWER, find: "if (asked.length > 1) return unclear('MORE_PAGES');", replace: '' },
  {
    rule: 'R-058q',
    file: PAGING,
    find: "if (next === null) return page.more === true ? 'LOST' : 'END';",
    replace: "if (next === null) return 'END';",
  },
  {
    rule: 'R-058q',
    file: 'lib/lookup/ask-http.ts',
    find: 'connector.maxBytes - bytes',
    replace: 'connector.maxBytes',
  },
  { rule: 'R-058q', file: 'lib/lookup/ask-http.ts', find: 'connector.timeoutMs - tookMs', replace: '60_000' },
  { rule: 'R-058r', file: PAGING, find: 'url.origin === home.origin &&', replace: '' },
  { rule: 'R-058r', file: PAGING, find: 'url.pathname.startsWith(prefix)', replace: 'true' },
  {
    rule: 'R-058q',
    file: 'lib/lookup/connector-slot.ts',
    find: 'takeSlot(pool, connectorId, ratePerSecond, leftMs)',
    replace: 'Promise.resolve(0)',
  },
  {
    rule: 'R-058q',
    file: ANSWER,
    find: 'endOf(connector, body, page.all,',
    replace: 'endOf(connector, body, page.picked,',
  },
  {
    rule: 'R-058r',
    file: PAGING,
    find: 'if (!isHome || /%25/.test(url.pathname)) return null;',
    replace: 'if (!isHome) return null;',
  },
  { rule: 'R-058r', file: PAGING, find: '|| asked.includes(url)', replace: '' },
  {
    rule: 'R-058s',
    file: FINDING,
    find: 'if (applies === null && !rule.optional) return null;',
    replace: '',
  },
  {
    rule: 'R-058s',
    file: FINDING,
    find: 'is.some((each) => each === value)',
    replace: 'is.some((each) => String(each) === String(value))',
  },
  {
    rule: 'R-058s',
    file: FINDING,
    find: "return statusRules.length === 0 ? 'done' : null;",
    replace: "return 'done';",
  },
  {
    rule: 'R-058t',
    file: ANSWER,
    find: "notFound.status410 && proof === 'ABSENCE'",
    replace: 'notFound.status410',
  },
  { rule: 'R-058t', file: ANSWER, find: '|| isThrottled === true', replace: '' },
  {
    rule: 'R-058u',
    file: PHRASE,
    find: "if (open !== null) return 'has a placeholder inside its own quotation marks';",
    replace: '',
  },
  { rule: 'R-058u', file: PHRASE, find: `return /["\\\\]/.test(value) ? null : `, replace: 'return ' },
  {
    rule: 'R-058u',
    file: PHRASE,
    find: `value.replace(/["\\\\]/g, '\\\\$&')`,
    replace: `value.replace(/["]/g, '\\\\$&')`,
  },
  { rule: 'R-058u', file: PHRASE, find: '|| QUOTE_LIKE.test(value)', replace: '' },
  {
    rule: 'R-058v',
    file: PLACE,
    find: 'const refused = nodes.find(({ type }) => !ALLOWED.has(type));',
    replace: 'const refused = undefined as Node | undefined;',
  },
  { rule: 'R-058v', file: PLACE, find: 'if (!Array.isArray(list)) return null;', replace: '' },
  {
    rule: 'R-058v',
    file: PLACE,
    find: 'return found.length === 1 ? found[0] : undefined;',
    replace: 'return found[0];',
  },
  { rule: 'R-058w', file: DATABASE, find: ', READ ONLY', replace: '' },
  { rule: 'R-058w', file: DATABASE, find: 'answer.rows.length <= connector.rowLimit', replace: 'true' },
  { rule: 'R-058x', file: DATABASE, find: 'if (writable !== null) return { writable };', replace: '' },
  { rule: 'R-058x', file: DATABASE, find: 'OR c.relowner = h.oid', replace: '' },
  {
    rule: 'R-058x',
    file: DATABASE,
    find: "pg_catalog.pg_has_role(session_user, r.oid, 'MEMBER')",
    replace: 'r.rolname = session_user',
  },
  { rule: 'R-058x', file: KINDS, find: 'NEW.allow_private := false;', replace: '' },
  {
    rule: 'R-058y',
    file: DATABASE,
    find: "new Set(['UNREACHABLE', 'NO_PERMISSION', 'SERVER_ERROR'])",
    replace: 'new Set([])',
  },
  {
    rule: 'R-058y',
    file: DATABASE,
    find: 'await within(limit, checkedAddress(',
    replace: 'await within(limit, ((host: string) => Promise.resolve({ address: host }))(',
  },
  {
    rule: 'R-059g',
    file: 'lib/domain/compare-content.ts',
    find: "hasWord(found, expected) ? expected : ''",
    replace: 'hasWord(found, expected) ? expected : found',
  },
  {
    rule: 'R-061s',
    file: 'lib/domain/compare-content.ts',
    find: 'digits.slice(0, -decimals)',
    replace: 'digits',
  },
  { rule: 'R-061t', file: FINDING, find: 'byId.set(one.id, one)', replace: 'byId.set(`${byId.size}`, one)' },
  {
    rule: 'R-058v',
    file: 'lib/domain/connector-http.ts',
    find: 'const path = z\n  .string()\n  .max(1000, { abort: true })',
    replace: 'const path = z\n  .string()\n  .max(1000)',
  },
  {
    rule: 'R-058w',
    file: DATABASE,
    find: 'withAbsentId(judged, connector',
    replace: 'withAbsentId(judged, {}',
  },
  {
    rule: 'R-058z',
    file: STRIPE,
    find: "'expand[]': 'data.latest_charge',",
    replace: "expand: 'latest_charge',",
  },
  {
    rule: 'R-058z',
    file: STRIPE,
    find: "{ at: '/latest_charge/amount_refunded', above: '0', status: 'reversed' },",
    replace: '',
  },
  { rule: 'R-058z', file: STRIPE, find: "parameter: 'starting_after'", replace: "parameter: 'after'" },
  { rule: 'R-058z', file: GITHUB, find: "errorAt: '/incomplete_results',", replace: '' },
  { rule: 'R-058z', file: GITHUB, find: "totalAt: '/total_count',", replace: '' },
  {
    rule: 'R-058z',
    file: GITHUB,
    find: 'status404: false, emptyList: false, status410: true',
    replace: 'status404: true, emptyList: false, status410: true',
  },
  {
    rule: 'R-058z',
    file: 'lib/lookup/recipes/jira.ts',
    find: "'/fields/status/name'",
    replace: "'/status/name'",
  },
  {
    rule: 'R-058z',
    file: 'lib/lookup/recipes/sendgrid.ts',
    find: "{ expected: '{key}', pointer: '/unique_args', match: 'contains' },",
    replace: '',
  },
  {
    rule: 'R-058z',
    file: 'lib/lookup/recipes/shipped-recipe.ts',
    find: 'else if (!pattern.test(value))',
    replace: 'else if (false)',
  },
];
