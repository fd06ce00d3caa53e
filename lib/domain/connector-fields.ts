import { QUOTINGS } from './search-phrase';

// What a connector's recipe says, as people read and write it. A new member of the recipe is one entry here, with its words in
// `connectors.field` of both languages; form, summary, differences and faults follow from it.

/** The parts of the page, in the order in which somebody fills them in. */
export const CONNECTOR_SECTIONS = [
  'place',
  'question',
  'answer',
  'paging',
  'match',
  'absence',
  'limits',
] as const;
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
  /** Takes long texts. */
  readonly wide?: true;
  /** Only in rows whose other column says one of these. */
  readonly with?: { readonly column: string; readonly says: readonly string[] };
}

export interface ConnectorField {
  /** Of its words below `connectors.field`, and of its control. */
  readonly key: string;
  /** Where the recipe holds it: member names joined by points. */
  readonly path: string;
  readonly section: ConnectorSection;
  /**
   * `text` one line · `place` of a value in the answer · `long` several lines · `number` digits · `flag` yes or no · `choice` one of several · `words` a list, one a
   * line · `pairs` names and their values · `rows` a list of things with several members.
   */
  readonly kind: 'text' | 'place' | 'long' | 'number' | 'flag' | 'choice' | 'words' | 'pairs' | 'rows';
  readonly required?: true;
  /** Empty is written as null, which says something of its own. */
  readonly nullable?: true;
  /** Of a choice; the first is what stands there when the recipe says nothing, and an empty one is left out of it. */
  readonly choices?: readonly string[];
  readonly columns?: readonly RowColumn[];
  /** The order of the rows says something. */
  readonly ordered?: true;
  /** Only where each of these choices is one of those named; elsewhere it is neither shown nor written. */
  readonly when?: Readonly<Record<string, readonly string[]>>;
}

const HTTP = { kind: ['http'] } as const;
const POSTGRES = { kind: ['postgres'] } as const;
const paged = (...by: string[]) => ({ ...HTTP, pagingBy: by });

/** Names and values; the first two columns of every list of pairs. */
const PAIR = [{ name: 'name' }, { name: 'value', wide: true }] as const;

export const CONNECTOR_FIELDS = [
  { key: 'kind', path: 'kind', section: 'place', kind: 'choice', choices: ['http', 'postgres'] },
  { key: 'system', path: 'system', section: 'place', kind: 'text', required: true },
  { key: 'baseUrl', path: 'baseUrl', section: 'place', kind: 'text', required: true, when: HTTP },
  { key: 'connection', path: 'connection', section: 'place', kind: 'text', required: true, when: POSTGRES },
  { key: 'place', path: 'place', section: 'place', kind: 'text' },
  { key: 'path', path: 'path', section: 'question', kind: 'text', required: true, when: HTTP },
  {
    key: 'query',
    path: 'query',
    section: 'question',
    kind: 'pairs',
    when: HTTP,
    columns: [...PAIR, { name: 'quoting', choices: ['', ...QUOTINGS] }],
  },
  { key: 'headers', path: 'headers', section: 'question', kind: 'pairs', when: HTTP, columns: PAIR },
  { key: 'sql', path: 'sql', section: 'question', kind: 'long', required: true, when: POSTGRES },
  {
    key: 'parameters',
    path: 'parameters',
    section: 'question',
    kind: 'words',
    required: true,
    when: POSTGRES,
  },
  { key: 'items', path: 'items', section: 'answer', kind: 'place', when: HTTP },
  { key: 'id', path: 'fields.id', section: 'answer', kind: 'place', required: true },
  { key: 'url', path: 'fields.url', section: 'answer', kind: 'place' },
  { key: 'status', path: 'fields.status', section: 'answer', kind: 'place' },
  { key: 'done', path: 'statuses.done', section: 'answer', kind: 'words' },
  { key: 'pending', path: 'statuses.pending', section: 'answer', kind: 'words' },
  { key: 'failed', path: 'statuses.failed', section: 'answer', kind: 'words' },
  { key: 'reversed', path: 'statuses.reversed', section: 'answer', kind: 'words' },
  {
    key: 'statusRules',
    path: 'statusRules',
    section: 'answer',
    kind: 'rows',
    ordered: true,
    columns: [
      { name: 'at', wide: true },
      { name: 'sees', choices: ['is', 'above', 'present'] },
      { name: 'seen', wide: true, with: { column: 'sees', says: ['is', 'above'] } },
      { name: 'status', choices: ['done', 'pending', 'failed', 'reversed'] },
      { name: 'missing', choices: ['stops', 'passesOn'] },
    ],
  },
  { key: 'errorAt', path: 'errorAt', section: 'answer', kind: 'place', when: HTTP },
  {
    key: 'pagingBy',
    path: 'paging.by',
    section: 'paging',
    kind: 'choice',
    when: HTTP,
    choices: ['', 'next', 'link', 'cursor', 'last', 'number'],
  },
  {
    key: 'pagingAt',
    path: 'paging.at',
    section: 'paging',
    kind: 'place',
    required: true,
    when: paged('next', 'cursor', 'last'),
  },
  {
    key: 'pagingParameter',
    path: 'paging.parameter',
    section: 'paging',
    kind: 'text',
    required: true,
    when: paged('cursor', 'last', 'number'),
  },
  {
    key: 'pagingFirst',
    path: 'paging.first',
    section: 'paging',
    kind: 'number',
    required: true,
    when: paged('number'),
  },
  { key: 'pagingStep', path: 'paging.step', section: 'paging', kind: 'number', when: paged('number') },
  {
    key: 'pagingPages',
    path: 'paging.pages',
    section: 'paging',
    kind: 'number',
    when: paged('next', 'link', 'cursor', 'last', 'number'),
  },
  { key: 'moreAt', path: 'moreAt', section: 'paging', kind: 'place', when: HTTP },
  { key: 'totalAt', path: 'totalAt', section: 'paging', kind: 'place', when: HTTP },
  { key: 'fullPage', path: 'fullPage', section: 'paging', kind: 'number', when: paged('') },
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
  { key: 'account', path: 'fields.account', section: 'match', kind: 'place' },
  { key: 'fixedAccount', path: 'fixedAccount', section: 'match', kind: 'text' },
  { key: 'status404', path: 'notFound.status404', section: 'absence', kind: 'flag', when: HTTP },
  { key: 'status410', path: 'notFound.status410', section: 'absence', kind: 'flag', when: HTTP },
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
  { key: 'maxBytes', path: 'maxBytes', section: 'limits', kind: 'number', when: HTTP },
  { key: 'rowLimit', path: 'rowLimit', section: 'limits', kind: 'number', when: POSTGRES },
  { key: 'attempts', path: 'attempts', section: 'limits', kind: 'number' },
  { key: 'backoffSeconds', path: 'backoffSeconds', section: 'limits', kind: 'number' },
] as const satisfies readonly ConnectorField[];

export type ConnectorFieldKey = (typeof CONNECTOR_FIELDS)[number]['key'];
export type KnownField = ConnectorField & { readonly key: ConnectorFieldKey };

/** Every entry, as what it has in common with the others. */
export const EVERY_FIELD: readonly KnownField[] = CONNECTOR_FIELDS;
