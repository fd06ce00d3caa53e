import { query } from 'jsonpath-rfc9535';
import parseJsonPath from 'jsonpath-rfc9535/parser';
import { z } from 'zod';
import { isJsonPointer, pointerToken, readPointer } from './json-pointer';

/**
 * A place in a document: a JSON Pointer (RFC 6901), or a JSONPath (RFC 9535) that begins with `$`. Of JSONPath only what
 * takes time in proportion to the document: no `..`, one selector a segment, one filter, no functions, no look from a
 * filter at the whole document. Whatever a recipe names is found or not found in bounded time (DO-01).
 */
export const jsonPlace = z.string().superRefine((text, context) => {
  const fault = placeFault(text);
  if (fault !== null) context.addIssue({ code: 'custom', message: fault });
});

/** As much of the library's tree as is looked at. */
interface Node {
  type: string;
  [member: string]: unknown;
}

const ALLOWED = new Set([
  'JsonPathQuery',
  'ChildSegment',
  'BracketedSelection',
  'NameSelector',
  'MemberNameShorthand',
  'IndexSelector',
  'WildcardSelector',
  'SliceSelector',
  'FilterSelector',
  'LogicalOrExpr',
  'LogicalAndExpr',
  'LogicalNotExpr',
  'ComparisonExpr',
  'Literal',
  'TestExpr',
  'FilterQuery',
  'RelQuery',
  'RelSingularQuery',
  'SingularQuerySegment',
]);

/** Characters; no text beyond is looked at. */
const LONGEST_PLACE = 300;

function placeFault(text: string): string | null {
  if (text.length > LONGEST_PLACE) return `is longer than ${LONGEST_PLACE} characters`;
  if (!text.startsWith('$')) return isJsonPointer(text) ? null : 'is neither a JSON Pointer nor a JSONPath';
  const tree = parsed(text);
  if (tree === null) return 'is no JSONPath (RFC 9535)';
  const nodes = [...nodesOf(tree)];
  const refused = nodes.find(({ type }) => !ALLOWED.has(type));
  if (refused !== undefined) return `uses ${refused.type}, which is not taken here`;
  if (nodes.filter(({ type }) => type === 'JsonPathQuery').length > 1)
    return 'looks at the whole document from a filter';
  if (nodes.filter(({ type }) => type === 'FilterSelector').length > 1) return 'has more than one filter';
  const isWide = ({ type, selectors }: Node) =>
    type === 'BracketedSelection' && (selectors as unknown[]).length > 1;
  return nodes.some(isWide) ? 'has more than one selector in a segment' : null;
}

function parsed(text: string): Node | null {
  try {
    // The library's tree is a union of twenty shapes; we read what every node has.
    return parseJsonPath(text) as unknown as Node;
  } catch {
    return null;
  }
}

function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) {
    for (const each of value as unknown[]) yield* nodesOf(each);
  } else if (typeof value === 'object' && value !== null) {
    if ('type' in value) yield value as Node;
    for (const each of Object.values(value)) yield* nodesOf(each);
  }
}

/** The one value at a place; undefined where there is none, or where there are several and none is meant. */
export function readPlace(document: unknown, place: string): unknown {
  if (!place.startsWith('$')) return readPointer(document, place);
  const found = select(document, place);
  return found.length === 1 ? found[0] : undefined;
}

/** A list as an answer holds it, and what of it is meant. */
export interface ReadList {
  all: unknown[];
  picked: unknown[];
}

/**
 * The elements of a list. `/items` and `$.items` name the list itself; `$.items[?@.type == 'a']` picks from it. Null when
 * there is no list: nothing picked from nothing would look like an empty answer.
 */
export function readList(document: unknown, place: string): ReadList | null {
  const picking = place.startsWith('$') ? pickedList(place) : null;
  const list = picking === null ? readPlace(document, place) : readPointer(document, picking);
  if (!Array.isArray(list)) return null;
  const all = list as unknown[];
  return { all, picked: picking === null ? all : select(document, place) };
}

/** The pointer of the list from which a JSONPath picks with its last segment; null when it names one place. */
function pickedList(path: string): string | null {
  const selectors = selectorsOf(path);
  const last = selectors.at(-1);
  if (last === undefined || isSingular(last)) return null;
  return selectors
    .slice(0, -1)
    .map(({ value }) => pointerToken(value as string | number))
    .join('');
}

/** A place of a list: picking is its last segment's alone, so that it is certain whether the list was there. */
export const jsonListPlace = jsonPlace.refine(
  (text) =>
    !text.startsWith('$') ||
    placeFault(text) !== null ||
    selectorsOf(text).every(
      (selector, index, all) =>
        (isSingular(selector) && !(selector.type === 'IndexSelector' && Number(selector.value) < 0)) ||
        (index === all.length - 1 && /^(?:Wildcard|Filter)Selector$/.test(selector.type)),
    ),
  'may pick with its last segment only',
);

/** The selectors of a path that has one in each segment. */
function selectorsOf(path: string): Node[] {
  const { segments } = parseJsonPath(path) as unknown as { segments: { node: Node }[] };
  return segments.map(
    ({ node }) => (node.type === 'BracketedSelection' ? (node.selectors as Node[])[0] : node) ?? node,
  );
}

function isSingular({ type }: Node): boolean {
  return type === 'MemberNameShorthand' || type === 'NameSelector' || type === 'IndexSelector';
}

function select(document: unknown, place: string): unknown[] {
  return query(document as Parameters<typeof query>[0], place);
}
