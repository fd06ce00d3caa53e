// Ways of losing what a recipe says between the form and what is saved, or what somebody typed.
import type { Mutant } from './mutant';

const FORM = 'lib/domain/connector-form.ts';
const ROWS = 'lib/domain/connector-rows.ts';
const FIELDS = 'lib/domain/connector-fields.ts';

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
];
