import type { ConnectorField } from './connector-fields';

// A list of a recipe as rows of text, and back. What no column can show goes along in `REST`, so that saving loses nothing.

export type FieldRow = Readonly<Record<string, string>>;
export type Members = Record<string, unknown>;

/** The column that no form shows: members of the row that no other column describes, as JSON. */
const REST = 'rest';

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** What is no number goes on as it is, so that it is named as wrong and not lost. */
export const numberOf = (text: string): number | string =>
  /^\d{1,15}(?:\.\d{1,6})?$/.test(text.trim()) ? Number(text) : text;

/** What an empty row begins with: each column of choices with its first. */
export function newRow({ columns = [] }: ConnectorField): FieldRow {
  return Object.fromEntries(columns.map(({ name, choices }) => [name, choices?.[0] ?? '']));
}

const withRest = (row: FieldRow, rest: Members): FieldRow =>
  Object.keys(rest).length === 0 ? row : { ...row, [REST]: JSON.stringify(rest) };

const restOf = (row: FieldRow): Members => JSON.parse(row[REST] ?? '{}') as Members;

/** The rows of a list of the recipe; none where there is no list. */
export function rowsOf(field: ConnectorField, found: unknown): FieldRow[] {
  if (field.kind === 'pairs') {
    if (!isMembers(found)) return [];
    // The database keeps members in an order of its own; two recipes are compared in one.
    const named = Object.entries(found).map(([name, value]) => pairOf(field, name, value));
    return named.sort((a, b) => ((a['name'] ?? '') < (b['name'] ?? '') ? -1 : 1));
  }
  if (!Array.isArray(found)) return [];
  const read = field.key === 'statusRules' ? ruleRow : plainRow;
  return found.map((each) => read(field, isMembers(each) ? each : {}));
}

/** The list of the recipe that rows say; undefined where it is left out. */
export function listOf(field: ConnectorField, rows: readonly FieldRow[]): unknown {
  if (field.kind === 'pairs') {
    const named = rows.filter((row) => row['name'] !== '' || row['value'] !== '');
    return named.length === 0
      ? undefined
      : Object.fromEntries(named.map((row) => [row['name'] ?? '', pairValue(row)]));
  }
  if (field.key === 'statusRules') return rows.length === 0 ? undefined : rows.map(ruleOf);
  return rows.map((row) => plainMembers(field, row));
}

/** A query value in the system's own language is a phrase, and says how that quotes. */
function pairOf(field: ConnectorField, name: string, value: unknown): FieldRow {
  const row = { ...newRow(field), name };
  if (!isMembers(value)) return { ...row, value: textOf(value) };
  const { phrase, quoting, ...rest } = value;
  return withRest({ ...row, value: textOf(phrase), quoting: textOf(quoting) }, rest);
}

function pairValue(row: FieldRow): unknown {
  const [value = '', quoting = '', rest] = [row['value'], row['quoting'], restOf(row)];
  const isPhrase = quoting !== '' || (value === '' && Object.keys(rest).length > 0);
  return isPhrase ? { ...rest, ...filled({ phrase: value, quoting }) } : value;
}

const filled = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== '' && value !== undefined));

function plainRow(field: ConnectorField, members: Members): FieldRow {
  const known = new Set((field.columns ?? []).map(({ name }) => name));
  const isShown = ([name, value]: [string, unknown]) =>
    known.has(name) && (typeof value === 'string' || typeof value === 'number');
  const entries = Object.entries(members);
  return withRest(
    {
      ...newRow(field),
      ...Object.fromEntries(entries.filter(isShown).map(([name, value]) => [name, textOf(value)])),
    },
    Object.fromEntries(entries.filter((entry) => !isShown(entry))),
  );
}

function plainMembers({ columns = [] }: ConnectorField, row: FieldRow): Members {
  const members: Members = restOf(row);
  for (const { name, optional, number } of columns) {
    const text = row[name] ?? '';
    if (text !== '' || optional !== true) members[name] = number === true ? numberOf(text) : text;
  }
  return members;
}

function ruleRow(field: ConnectorField, members: Members): FieldRow {
  const { at, is, above, present, optional, status, ...rest } = members;
  const row = {
    ...newRow(field),
    at: textOf(at),
    status: textOf(status),
    missing: optional === true ? 'passesOn' : 'stops',
  };
  // A rule of this build has one of the three; of several the others go along.
  if (Array.isArray(is))
    return withRest(
      { ...row, sees: 'is', seen: scalarsText(is) },
      { ...rest, ...filled({ above, present }) },
    );
  if (above !== undefined)
    return withRest({ ...row, sees: 'above', seen: textOf(above) }, { ...rest, ...filled({ present }) });
  return withRest({ ...row, sees: 'present' }, rest);
}

function ruleOf(row: FieldRow): Members {
  const seen = row['seen'] ?? '';
  const sees =
    row['sees'] === 'is'
      ? { is: scalarsOf(seen) ?? seen }
      : row['sees'] === 'above'
        ? { above: seen.trim() }
        : { present: true };
  return {
    ...restOf(row),
    at: row['at'],
    ...sees,
    optional: row['missing'] === 'passesOn',
    status: row['status'],
  };
}

/** `true`, `null` and numbers as they are; a text that could be one of them, or that has a comma, in quotation marks. */
function scalarsText(values: readonly unknown[]): string {
  return values.map((value) => (isPlainText(value) ? value : JSON.stringify(value))).join(', ');
}

const isPlainText = (value: unknown): value is string =>
  typeof value === 'string' && /^[^\s,"](?:[^,"]*[^\s,"])?$/.test(value) && scalarOf(value) === value;

/** One value of a list as somebody typed it. */
function scalarOf(text: string): unknown {
  if (!/^(?:true|false|null|".*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/i.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The values of a list, separated by commas; null where a quotation mark is not closed. */
export function scalarsOf(text: string): unknown[] | null {
  const values: unknown[] = [];
  for (let rest = text.trim(); ;) {
    const piece = /^("(?:[^"\\]|\\.)*"|[^,"]*)\s*(,|$)/.exec(rest);
    if (piece === null) return null;
    const [whole, value = '', mark] = piece;
    if (value.trim() !== '') values.push(scalarOf(value.trim()));
    if (mark !== ',') return values;
    rest = rest.slice(whole.length).trimStart();
  }
}
