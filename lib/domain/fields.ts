import { pointerToken, pointerTokens } from './json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from './json-value';

/**
 * The way to a field as policies write it: a member name (`amount`), or a JSON pointer (`/customer/id`). In a pointer
 * the token `*` stands for every element of an array and every member of an object.
 */
export type FieldPath = string;

/** The JSON pointer of a path: `amount` is `/amount`. */
export function fieldPointer(path: FieldPath): string {
  return path.startsWith('/') ? path : pointerToken(path);
}

function tokensOf(path: FieldPath): readonly string[] {
  return pointerTokens(fieldPointer(path));
}

function names(token: string | undefined, name: string): boolean {
  return token === '*' || token === name;
}

function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** A copy of a container with each child replaced; a child that becomes undefined is left out. */
function mapChildren(
  value: JsonValue,
  make: (child: JsonValue, name: string) => JsonValue | undefined,
): JsonValue {
  if (isArray(value)) {
    return value
      .map((element, index) => make(element, String(index)))
      .filter((element) => element !== undefined);
  }
  if (!isJsonObject(value)) return value;
  const copy = Object.create(null) as Record<string, JsonValue>;
  for (const [name, member] of Object.entries(value)) {
    const made = make(member, name);
    if (made !== undefined) copy[name] = made;
  }
  return copy;
}

/** A copy with `change` applied to every value that `path` leads to. */
export function changeField(
  value: JsonValue,
  path: FieldPath,
  change: (present: JsonValue, pointer: string) => JsonValue,
): JsonValue {
  const walk = (at: JsonValue, tokens: readonly string[], pointer: string): JsonValue =>
    tokens.length === 0
      ? change(at, pointer)
      : mapChildren(at, (child, name) =>
          names(tokens[0], name) ? walk(child, tokens.slice(1), pointer + pointerToken(name)) : child,
        );
  return walk(value, tokensOf(path), '');
}

/** A copy with the member at `path` set to `fallback` in every object that lacks it; parents are never made. */
export function fillField(value: JsonValue, path: FieldPath, fallback: JsonValue): JsonValue {
  const tokens = tokensOf(path);
  const last = tokens.at(-1);
  if (last === undefined) return value;
  const walk = (at: JsonValue, before: readonly string[]): JsonValue => {
    if (before.length > 0)
      return mapChildren(at, (child, name) =>
        names(before[0], name) ? walk(child, before.slice(1)) : child,
      );
    return isJsonObject(at) && !Object.hasOwn(at, last) ? withMember(at, last, fallback) : at;
  };
  return walk(value, tokens.slice(0, -1));
}

function withMember(object: JsonObject, name: string, value: JsonValue): JsonObject {
  const copy = Object.assign(Object.create(null) as Record<string, JsonValue>, object);
  copy[name] = value;
  return copy;
}

/** A copy without the excluded fields; an included path below an excluded one stays, with the parents that lead to it. */
export function withoutFields(
  value: JsonValue,
  exclude: readonly FieldPath[],
  include: readonly FieldPath[],
): JsonValue {
  if (exclude.length === 0) return value;
  const walk = (
    at: JsonValue,
    out: readonly Way[],
    back: readonly Way[],
    counts: boolean,
  ): JsonValue | undefined => {
    const here = countsHere(out, back, counts);
    if (typeof at !== 'object' || at === null) return here ? at : undefined;
    const kept = mapChildren(at, (child, name) => walk(child, into(out, name), into(back, name), here));
    const empty = (isArray(kept) ? kept : Object.keys(kept as JsonObject)).length === 0;
    return here || !empty ? kept : undefined;
  };
  return walk(value, exclude.map(tokensOf), include.map(tokensOf), true) ?? null;
}

/** Whether the value at a pointer would stay. */
export function staysAt(
  pointer: string,
  exclude: readonly FieldPath[],
  include: readonly FieldPath[],
): boolean {
  let [out, back]: [readonly Way[], readonly Way[]] = [exclude.map(tokensOf), include.map(tokensOf)];
  let stays = countsHere(out, back, true);
  for (const name of pointerTokens(pointer)) {
    [out, back] = [into(out, name), into(back, name)];
    stays = countsHere(out, back, stays);
  }
  return stays;
}

/** Whether a path leads to the pointer, or to something around it. */
export function leadsTo(path: FieldPath, pointer: string): boolean {
  const [way, tokens] = [tokensOf(path), pointerTokens(pointer)];
  return way.length <= tokens.length && way.every((token, at) => names(token, tokens[at] ?? ''));
}

/** What is left of a path on the way down. */
type Way = readonly string[];

const isOver = (way: Way) => way.length === 0;

/** An included way that ends here counts, an excluded one does not; elsewhere as around it. */
const countsHere = (out: readonly Way[], back: readonly Way[], around: boolean): boolean =>
  back.some(isOver) || (around && !out.some(isOver));

function into(ways: readonly Way[], name: string): readonly Way[] {
  return ways.filter((way) => way.length > 0 && names(way[0], name)).map((way) => way.slice(1));
}
