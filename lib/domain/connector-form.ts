import {
  EVERY_FIELD,
  type ConnectorField,
  type ConnectorFieldKey,
  type KnownField,
} from './connector-fields';
import { isMembers, listOf, numberOf, rowsOf, textOf, type FieldRow, type Members } from './connector-rows';

// A recipe as a form holds it, and back.

/** As a control holds it. */
export type FieldValue = string | boolean | readonly FieldRow[];
type FieldValues = Readonly<Partial<Record<ConnectorFieldKey, FieldValue>>>;

/** A recipe as a form holds it: what was typed, and what of the recipe no entry describes. */
export interface ConnectorDraft {
  readonly values: FieldValues;
  readonly rest: Members;
}

/** The JSONPath of a document itself. */
const WHOLE_DOCUMENT = '$';

function readAt(recipe: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (found, name) => (isMembers(found) && Object.hasOwn(found, name) ? found[name] : undefined),
      recipe,
    );
}

function valueOf(field: ConnectorField, found: unknown): FieldValue {
  switch (field.kind) {
    case 'flag':
      return found === true;
    case 'choice':
      return textOf(found) || (field.choices?.[0] ?? '');
    case 'words':
      return Array.isArray(found) ? found.map(textOf).join('\n') : '';
    case 'pairs':
    case 'rows':
      return rowsOf(field, found);
    case 'place':
      // A pointer to the whole is an empty text, which in a form says nothing.
      return found === '' ? WHOLE_DOCUMENT : textOf(found);
    case 'text':
    case 'long':
    case 'number':
      return textOf(found);
    default:
      return field.kind satisfies never;
  }
}

/** Says what it has to say by itself: every connector by HTTP is a GET. */
const CONSTANT = ['method'];

/** The draft of a recipe in whatever state: what cannot be read is empty. */
export function draftOf(recipe: unknown): ConnectorDraft {
  const values = EVERY_FIELD.map((field) => [field.key, valueOf(field, readAt(recipe, field.path))]);
  const rest: Members = isMembers(recipe) ? structuredClone(recipe) : {};
  for (const path of [...CONSTANT, ...EVERY_FIELD.map((field) => field.path)]) take(rest, path);
  return { values: Object.fromEntries(values) as FieldValues, rest };
}

/** Takes a member out, and what is empty without it. */
function take(members: Members, path: string): void {
  const [first = '', second] = path.split('.');
  const within = members[first];
  if (second !== undefined && isMembers(within)) Reflect.deleteProperty(within, second);
  if (second === undefined || !isMembers(within) || Object.keys(within).length === 0)
    Reflect.deleteProperty(members, first);
}

/** What a new connector begins with: one thing that has to be compared. */
export const FIRST_DRAFT: ConnectorDraft = draftOf({
  content: [{ expected: '{key}', role: 'identifies' }],
});

/** Undefined: left out of the recipe. */
function memberOf(field: ConnectorField, value: FieldValue | undefined): unknown {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return listOf(field, value ?? []);
  if (field.kind === 'words') {
    const words = value.split('\n').filter((word) => word !== '');
    return words.length === 0 ? undefined : words;
  }
  if (value.trim() === '') return field.nullable === true ? null : undefined;
  return field.kind === 'number' ? numberOf(value) : value;
}

/** Whether a field is asked for at all, by the choices that stand in the form. */
export function applies({ when = {} }: ConnectorField, values: FieldValues): boolean {
  return Object.entries(when).every(([key, says]) => {
    const chosen = values[key as ConnectorFieldKey];
    return typeof chosen === 'string' && says.includes(chosen);
  });
}

/** The fields that a draft asks for, in order. */
export function fieldsOf({ values }: ConnectorDraft): readonly KnownField[] {
  return EVERY_FIELD.filter((field) => applies(field, values));
}

/** The recipe that a draft says, not checked yet. */
export function recipeOf(draft: ConnectorDraft): Members {
  const recipe: Members = { ...draft.rest };
  for (const field of fieldsOf(draft)) {
    const member = memberOf(field, draft.values[field.key]);
    if (member === undefined) continue;
    const [first = '', second] = field.path.split('.');
    if (second === undefined) recipe[first] = member;
    else recipe[first] = { ...(isMembers(recipe[first]) ? recipe[first] : {}), [second]: member };
  }
  return recipe;
}

/** Fields that need something and hold nothing. */
export function missingFields(draft: ConnectorDraft): ConnectorFieldKey[] {
  return fieldsOf(draft)
    .filter(({ key, required }) => required === true && isEmpty(draft.values[key]))
    .map(({ key }) => key);
}

const isEmpty = (value: FieldValue | undefined): boolean =>
  value === undefined ||
  value === false ||
  (typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0);

/** Lists of names in which one stands twice: only one of the two could be kept. */
export function fieldsNamedTwice(draft: ConnectorDraft): ConnectorFieldKey[] {
  return fieldsOf(draft)
    .filter(({ key, kind }) => {
      const value = draft.values[key];
      if (kind !== 'pairs' || !Array.isArray(value)) return false;
      const names = (value as readonly FieldRow[]).map((row) => row['name']).filter((name) => name !== '');
      return new Set(names).size < names.length;
    })
    .map(({ key }) => key);
}

/** Where a fault stands: the field, and of a list the line, from 1. */
export interface FaultPlace {
  readonly key: ConnectorFieldKey;
  readonly line: number | null;
}

/** The place of a fault such as `content.0.pointer`; null for what no entry describes. */
export function placeOfFault(fault: string): FaultPlace | null {
  const within = EVERY_FIELD.find(({ path }) => fault === path || fault.startsWith(`${path}.`));
  const field = within ?? EVERY_FIELD.find(({ path }) => path.startsWith(`${fault}.`));
  if (field === undefined) return null;
  const index =
    field.kind === 'rows' ? /^\.(\d{1,4})(?:\.|$)/.exec(fault.slice(field.path.length))?.[1] : undefined;
  return { key: field.key, line: index === undefined ? null : Number(index) + 1 };
}

/** One thing that two recipes say differently. */
export type RecipeDifference =
  | { readonly key: ConnectorFieldKey; readonly from: FieldValue; readonly to: FieldValue }
  /** Of a member that no entry describes, as JSON. */
  | { readonly member: string; readonly from: string; readonly to: string };

/** What changes when the second recipe takes the place of the first. */
export function recipeDifference(before: unknown, after: unknown): RecipeDifference[] {
  const [left, right] = [draftOf(before), draftOf(after)];
  const said = (field: KnownField, { values }: ConnectorDraft) =>
    applies(field, values) ? (values[field.key] ?? '') : '';
  const differences: RecipeDifference[] = [];
  for (const field of EVERY_FIELD) {
    const [from, to] = [said(field, left), said(field, right)];
    if (JSON.stringify(from) !== JSON.stringify(to)) differences.push({ key: field.key, from, to });
  }
  const members = new Set([...Object.keys(left.rest), ...Object.keys(right.rest)]);
  for (const member of members) {
    const [from, to] = [left.rest, right.rest].map((rest) => JSON.stringify(rest[member]) ?? '');
    if (from !== to) differences.push({ member, from: from ?? '', to: to ?? '' });
  }
  return differences;
}

/** The placeholders that a recipe names, each once; the account is compared wherever an answer names one. */
export function placeholdersOf(recipe: unknown): string[] {
  const named = JSON.stringify(recipe).match(/\{(?:display:(?:\/[^{}"\\]{1,200})+|[A-Za-z]{1,30})\}/g) ?? [];
  return [...new Set([...named, '{account}'])];
}
