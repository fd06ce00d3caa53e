// What a connector's recipe says, as people read and write it. A new member of the recipe is one entry here, with its words in
// `connectors.field` of both languages; form, summary, differences and faults follow from it.

/** The parts of the page, in the order in which somebody fills them in. */
export const CONNECTOR_SECTIONS = ['place', 'question', 'answer', 'match', 'absence', 'limits'] as const;
export type ConnectorSection = (typeof CONNECTOR_SECTIONS)[number];

/** One member of each row of a list. */
export interface RowColumn {
  readonly name: string;
  /** Absent: free text. The first is what a row begins with. */
  readonly choices?: readonly string[];
  /** What is left out of the recipe when it is empty. */
  readonly optional?: true;
  /** Digits alone are written as a number. */
  readonly number?: true;
}

export interface ConnectorField {
  /** Of its words below `connectors.field`, and of its control. */
  readonly key: string;
  /** Where the recipe holds it: member names joined by points. */
  readonly path: string;
  readonly section: ConnectorSection;
  /**
   * `text` one line · `number` digits · `flag` yes or no · `words` a list, one a line · `pairs` names and their values ·
   * `rows` a list of things with several members.
   */
  readonly kind: 'text' | 'number' | 'flag' | 'words' | 'pairs' | 'rows';
  readonly required?: true;
  /** Empty is written as null, which says something of its own. */
  readonly nullable?: true;
  readonly columns?: readonly RowColumn[];
}

export const CONNECTOR_FIELDS = [
  { key: 'system', path: 'system', section: 'place', kind: 'text', required: true },
  { key: 'baseUrl', path: 'baseUrl', section: 'place', kind: 'text', required: true },
  { key: 'place', path: 'place', section: 'place', kind: 'text' },
  { key: 'path', path: 'path', section: 'question', kind: 'text', required: true },
  { key: 'query', path: 'query', section: 'question', kind: 'pairs' },
  { key: 'headers', path: 'headers', section: 'question', kind: 'pairs' },
  { key: 'items', path: 'items', section: 'answer', kind: 'text' },
  { key: 'id', path: 'fields.id', section: 'answer', kind: 'text', required: true },
  { key: 'url', path: 'fields.url', section: 'answer', kind: 'text' },
  { key: 'status', path: 'fields.status', section: 'answer', kind: 'text' },
  { key: 'done', path: 'statuses.done', section: 'answer', kind: 'words' },
  { key: 'pending', path: 'statuses.pending', section: 'answer', kind: 'words' },
  { key: 'failed', path: 'statuses.failed', section: 'answer', kind: 'words' },
  { key: 'reversed', path: 'statuses.reversed', section: 'answer', kind: 'words' },
  { key: 'moreAt', path: 'moreAt', section: 'answer', kind: 'text' },
  { key: 'errorAt', path: 'errorAt', section: 'answer', kind: 'text' },
  {
    key: 'content',
    path: 'content',
    section: 'match',
    kind: 'rows',
    required: true,
    columns: [
      { name: 'expected' },
      { name: 'pointer' },
      { name: 'role', choices: ['agrees', 'identifies', 'proves'] },
      { name: 'match', choices: ['exact', 'caseless', 'contains', 'numeric'] },
      { name: 'tolerance', optional: true },
      { name: 'decimals', optional: true, number: true },
      { name: 'before', optional: true },
    ],
  },
  { key: 'account', path: 'fields.account', section: 'match', kind: 'text' },
  { key: 'fixedAccount', path: 'fixedAccount', section: 'match', kind: 'text' },
  { key: 'status404', path: 'notFound.status404', section: 'absence', kind: 'flag' },
  { key: 'status410', path: 'notFound.status410', section: 'absence', kind: 'flag' },
  { key: 'emptyList', path: 'notFound.emptyList', section: 'absence', kind: 'flag' },
  {
    key: 'visibilityDelaySeconds',
    path: 'visibilityDelaySeconds',
    section: 'absence',
    kind: 'number',
    required: true,
  },
  { key: 'queryableSeconds', path: 'queryableSeconds', section: 'absence', kind: 'number', nullable: true },
  { key: 'absentId', path: 'absentId', section: 'absence', kind: 'text' },
  { key: 'ratePerSecond', path: 'ratePerSecond', section: 'limits', kind: 'number' },
  { key: 'timeoutMs', path: 'timeoutMs', section: 'limits', kind: 'number' },
  { key: 'maxBytes', path: 'maxBytes', section: 'limits', kind: 'number' },
  { key: 'attempts', path: 'attempts', section: 'limits', kind: 'number' },
  { key: 'backoffSeconds', path: 'backoffSeconds', section: 'limits', kind: 'number' },
] as const satisfies readonly ConnectorField[];

export type ConnectorFieldKey = (typeof CONNECTOR_FIELDS)[number]['key'];

export type FieldRow = Readonly<Record<string, string>>;
/** As a control holds it. */
export type FieldValue = string | boolean | readonly FieldRow[];

/** A recipe as a form holds it: what was typed, and what of the recipe no entry describes. */
export interface ConnectorDraft {
  readonly values: Readonly<Partial<Record<ConnectorFieldKey, FieldValue>>>;
  readonly rest: Readonly<Record<string, unknown>>;
}

type Members = Record<string, unknown>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readAt(recipe: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (found, name) => (isMembers(found) && Object.hasOwn(found, name) ? found[name] : undefined),
      recipe,
    );
}

/** What an empty form begins with; each column of choices with its first. */
export function newRow(field: ConnectorField): FieldRow {
  const columns = field.kind === 'pairs' ? [{ name: 'name' }, { name: 'value' }] : (field.columns ?? []);
  return Object.fromEntries(
    columns.map(({ name, ...column }: RowColumn) => [name, column.choices?.[0] ?? '']),
  );
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

function valueOf(field: ConnectorField, found: unknown): FieldValue {
  switch (field.kind) {
    case 'flag':
      return found === true;
    case 'words':
      return Array.isArray(found) ? found.map(textOf).join('\n') : '';
    case 'pairs':
      return isMembers(found)
        ? // The database keeps members in an order of its own; two recipes are compared in one.
          Object.entries(found)
            .map(([name, value]) => ({ name, value: textOf(value) }))
            .sort((a, b) => (a.name < b.name ? -1 : 1))
        : [];
    case 'rows':
      return Array.isArray(found)
        ? found.map((row) => ({
            ...newRow(field),
            ...Object.fromEntries(
              Object.entries(isMembers(row) ? row : {}).map(([name, value]) => [name, textOf(value)]),
            ),
          }))
        : [];
    case 'text':
    case 'number':
      return textOf(found);
    default:
      return field.kind satisfies never;
  }
}

/** The draft of a recipe in whatever state: what cannot be read is empty. */
export function draftOf(recipe: unknown): ConnectorDraft {
  const values = CONNECTOR_FIELDS.map((field) => [
    field.key,
    valueOf(field, readAt(recipe, field.path)),
  ]) as readonly (readonly [ConnectorFieldKey, FieldValue])[];
  const described = new Set(CONNECTOR_FIELDS.map(({ path }) => path.split('.')[0]));
  const rest = Object.entries(isMembers(recipe) ? recipe : {}).filter(([name]) => !described.has(name));
  return { values: Object.fromEntries(values), rest: Object.fromEntries(rest) };
}

/** What a new connector begins with: one thing that has to be compared. */
export const FIRST_DRAFT: ConnectorDraft = draftOf({
  content: [{ expected: '{key}', role: 'identifies' }],
});

/** What is no number goes on as it is, so that it is named as wrong and not lost. */
const numberOf = (text: string): number | string =>
  /^\d{1,15}(?:\.\d{1,6})?$/.test(text.trim()) ? Number(text) : text;

/** Undefined: left out of the recipe. */
function memberOf(field: ConnectorField, value: FieldValue | undefined): unknown {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    if (field.kind === 'words') {
      const words = value.split('\n').filter((word) => word !== '');
      return words.length === 0 ? undefined : words;
    }
    if (value.trim() === '') return field.nullable === true ? null : undefined;
    return field.kind === 'number' ? numberOf(value) : value;
  }
  const rows = value ?? [];
  if (field.kind === 'pairs') {
    const named = rows.filter((row) => row['name'] !== '' || row['value'] !== '');
    return named.length === 0
      ? undefined
      : Object.fromEntries(named.map((row) => [row['name'] ?? '', row['value']]));
  }
  const columns = new Map((field.columns ?? []).map((column) => [column.name, column]));
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([name, text]) => text !== '' || columns.get(name)?.optional !== true)
        .map(([name, text]) => [name, columns.get(name)?.number === true ? numberOf(text) : text]),
    ),
  );
}

/** The recipe that a draft says, not checked yet. */
export function recipeOf(draft: ConnectorDraft): Members {
  const recipe: Members = { ...draft.rest };
  for (const field of CONNECTOR_FIELDS) {
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
  return (CONNECTOR_FIELDS as readonly (ConnectorField & { key: ConnectorFieldKey })[])
    .filter(({ key, required }) => required === true && isEmpty(draft.values[key]))
    .map(({ key }) => key);
}

/** Lists of names in which one stands twice: only one of the two could be kept. */
export function fieldsNamedTwice(draft: ConnectorDraft): ConnectorFieldKey[] {
  return CONNECTOR_FIELDS.filter(({ key, kind }) => {
    const value = draft.values[key];
    if (kind !== 'pairs' || !Array.isArray(value)) return false;
    const names = (value as readonly FieldRow[]).map((row) => row['name']).filter((name) => name !== '');
    return new Set(names).size < names.length;
  }).map(({ key }) => key);
}

const isEmpty = (value: FieldValue | undefined): boolean =>
  value === undefined || (typeof value === 'string' ? value.trim() === '' : value === false) || isNone(value);

const isNone = (value: FieldValue): boolean => Array.isArray(value) && value.length === 0;

/** The field whose member a fault names, such as `content.0.pointer`; null for what no entry describes. */
export function fieldOfFault(fault: string): ConnectorFieldKey | null {
  const within = CONNECTOR_FIELDS.find(({ path }) => fault === path || fault.startsWith(`${path}.`));
  return (within ?? CONNECTOR_FIELDS.find(({ path }) => path.startsWith(`${fault}.`)))?.key ?? null;
}

/** One thing that two recipes say differently. */
export type RecipeDifference =
  | { readonly key: ConnectorFieldKey; readonly from: FieldValue; readonly to: FieldValue }
  /** Of a member that no entry describes, as JSON. */
  | { readonly member: string; readonly from: string; readonly to: string };

/** What changes when the second recipe takes the place of the first. */
export function recipeDifference(before: unknown, after: unknown): RecipeDifference[] {
  const [left, right] = [draftOf(before), draftOf(after)];
  const differences: RecipeDifference[] = [];
  for (const { key } of CONNECTOR_FIELDS) {
    const [from, to] = [left.values[key] ?? '', right.values[key] ?? ''];
    if (JSON.stringify(from) !== JSON.stringify(to)) differences.push({ key, from, to });
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
