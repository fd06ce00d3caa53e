// Ways of losing what a recipe says between the form and what is saved, or what somebody typed.
import type { Mutant } from './mutant';

const FORM = 'lib/domain/connector-form.ts';
const ROWS = 'lib/domain/connector-rows.ts';
const FIELDS = 'lib/domain/connector-fields.ts';

const START = 'lib/review/connectors/start-connector.ts';
const LEAVING = 'lib/domain/leaving.ts';
const EVIDENCE = 'lib/domain/evidence-form.ts';
const TIMES = 'prisma/migrations/20261205000200_seen_before_it_began/migration.sql';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  ...{ rule, file, find, replace },
});

export const MUTANTS_OF_CONNECTOR_FORMS: readonly Mutant[] = [
  mutant('R-063u', FORM, 'const recipe: Members = { ...draft.rest };', 'const recipe: Members = {};'),
  mutant('R-063u', FORM, 'for (const field of fieldsOf(draft)) {', 'for (const field of EVERY_FIELD) {'),
  mutant('R-063u', FORM, 'Number(index) + 1', 'Number(index)'),
  mutant('R-063u', ROWS, "? 'passesOn' : 'stops'", "? 'stops' : 'stops'"),
  mutant('R-063u', ROWS, '...restOf(row),\n    at:', 'at:'),
  mutant('R-063u', ROWS, '{ ...rest, ...filled({ phrase: value, quoting }) }', '{ phrase: value, quoting }'),
  mutant('R-063u', ROWS, 'is: scalarsOf(seen) ?? seen', "is: seen.split(', ')"),
  mutant('R-063u', ROWS, ' && scalarOf(value) === value', ''),
  mutant('R-063u', FIELDS, "when: paged('cursor', 'last', 'number'),", "when: paged('cursor', 'number'),"),
  mutant('R-063u', FORM, "found === '' ? WHOLE_DOCUMENT : textOf(found)", 'textOf(found)'),
  // Where a new one begins
  mutant('R-063v', START, 'view === null ?', 'view === undefined ?'),
  mutant('R-063v', START, 'recipe: filled.ok', 'recipe: true'),
  mutant('R-063v', START, "&& settings['again'] === undefined", ''),
  mutant('R-063v', 'lib/lookup/recipes/github.ts', 'openapi@23.0.2', 'openapi@23.0.1'),
  // Leaving
  mutant('R-063w', LEAVING, ' || to.search !== from.search', ''),
  mutant('R-063w', LEAVING, "link.download !== ''", 'false'),
  mutant('R-063w', LEAVING, 'isOtherPage(link.href, here);', 'true;'),
  mutant('R-063w', LEAVING, 'press.button !== 0', 'false'),
  mutant('R-063w', EVIDENCE, '[place, seen, resultId, resultUrl].some', '[place, seen].some'),
  // What a person saw
  mutant('R-059h', 'lib/domain/lookup-finding.ts', " && url.username === '' && url.password === ''", ''),
  mutant('R-059i', TIMES, "date_trunc('minute', v_row.created_at)", 'v_row.created_at'),
  mutant(
    'R-059i',
    TIMES,
    "    WHEN p.checked_at < date_trunc('minute', v_row.created_at) THEN 'CHECKED_BEFORE_THE_EXECUTION'\n",
    '',
  ),
  mutant('R-059i', EVIDENCE, "{ checkedAt: 'BEFORE_THE_EXECUTION' }", '{}'),
];
