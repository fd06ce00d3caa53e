import { visit, printParseErrorCode, type JSONVisitor } from 'jsonc-parser';
import { pointerToken } from './json-pointer';
import type { JsonValue } from './json-value';
import { denotesItself } from './exact-number';

/** Levels of nesting, the outermost value included; the contract's limit. */
export const MAX_JSON_DEPTH = 64;

type JsonFault =
  | 'BYTE_ORDER_MARK'
  | 'NOT_UTF8'
  | 'NOT_JSON'
  | 'DUPLICATE_NAME'
  | 'LONE_SURROGATE'
  | 'NUL_CHARACTER'
  | 'INEXACT_NUMBER'
  | 'TOO_DEEP';

interface JsonRefusal {
  readonly ok: false;
  readonly fault: JsonFault;
  /** JSON pointer of the value at fault; "" is the whole text. */
  readonly path: string;
  /** Characters from the start of the text; for NOT_UTF8 bytes. */
  readonly position: number;
  readonly detail: string;
}

export type JsonReading =
  | { readonly ok: true; readonly value: JsonValue; readonly slices: ReadonlyMap<string, string> }
  | JsonRefusal;

/** Reads bytes as strict JSON: UTF-8 without byte order mark, then as `parseStrictJson`. */
export function readStrictJson(bytes: Uint8Array, options: { slices?: readonly string[] } = {}): JsonReading {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return refusal('BYTE_ORDER_MARK', '', 0, 'the text begins with a byte order mark');
  }
  try {
    return parseStrictJson(decode(bytes), options);
  } catch {
    const position = firstInvalidByte(bytes);
    return refusal('NOT_UTF8', '', position, `the text is not UTF-8 at byte ${position}`);
  }
}

function decode(bytes: Uint8Array, stream = false): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream });
}

/** The longest prefix that decodes grows until the fault, so it can be found by halving. */
function firstInvalidByte(bytes: Uint8Array): number {
  let [good, bad] = [0, bytes.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    try {
      decode(bytes.subarray(0, middle), true);
      good = middle;
    } catch {
      bad = middle;
    }
  }
  return good;
}

/**
 * Reads JSON (RFC 8259) and refuses, with path and position, whatever two readers could understand differently:
 * duplicate names, lone surrogates, numbers that a double cannot tell, U+0000 (PostgreSQL cannot store it), and more
 * than 64 levels. Objects have no prototype, so `__proto__` is a name like any other. -0 is read as 0.
 *
 * `slices` names JSON pointers whose exact source text is wanted, for values that must be stored byte for byte.
 */
export function parseStrictJson(text: string, options: { slices?: readonly string[] } = {}): JsonReading {
  const reader = new Reader(text, new Set(options.slices ?? []));
  try {
    visit(text, reader.visitor(), {
      disallowComments: true,
      allowTrailingComma: false,
      allowEmptyContent: false,
    });
    return reader.result();
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
}

class Refused extends Error {
  constructor(readonly refusal: JsonRefusal) {
    super(refusal.detail);
  }
}

function refusal(fault: JsonFault, path: string, position: number, detail: string): JsonRefusal {
  return { ok: false, fault, path, position, detail };
}

interface Level {
  readonly container: Record<string, JsonValue> | JsonValue[];
  readonly start: number;
  /** Member being read, in objects; null between two. */
  name: string | null;
}

class Reader {
  private readonly levels: Level[] = [];
  private readonly slices = new Map<string, string>();
  private root: { value: JsonValue } | null = null;

  constructor(
    private readonly text: string,
    private readonly wanted: ReadonlySet<string>,
  ) {}

  visitor(): JSONVisitor {
    return {
      onObjectBegin: (offset) => this.open(Object.create(null) as Record<string, JsonValue>, offset),
      onArrayBegin: (offset) => this.open([], offset),
      onObjectEnd: (offset) => this.close(offset),
      onArrayEnd: (offset) => this.close(offset),
      onObjectProperty: (name, offset) => this.property(name, offset),
      onLiteralValue: (value, offset, length) => this.literal(value, offset, length),
      onError: (code, offset) =>
        this.refuse('NOT_JSON', offset, `not JSON at character ${offset} (${printParseErrorCode(code)})`),
    };
  }

  result(): JsonReading {
    if (this.root === null) throw new Refused(refusal('NOT_JSON', '', 0, 'the text is empty'));
    return { ok: true, value: this.root.value, slices: this.slices };
  }

  private open(container: Level['container'], offset: number): void {
    if (this.levels.length >= MAX_JSON_DEPTH) {
      this.refuse('TOO_DEEP', offset, `more than ${MAX_JSON_DEPTH} levels of nesting at character ${offset}`);
    }
    this.levels.push({ container, start: offset, name: null });
  }

  private close(offset: number): void {
    const level = this.levels.pop();
    if (level === undefined) throw new Error('bug: a container closed that was never opened');
    this.place(level.container, level.start, offset + 1);
  }

  private property(name: string, offset: number): void {
    const level = this.levels.at(-1);
    if (level === undefined || Array.isArray(level.container))
      throw new Error('bug: a member outside an object');
    level.name = null;
    this.checkText(name, offset);
    level.name = name;
    if (Object.hasOwn(level.container, name)) {
      this.refuse('DUPLICATE_NAME', offset, `the name at character ${offset} occurs twice in one object`);
    }
  }

  private literal(value: unknown, offset: number, length: number): void {
    if (typeof value === 'string') this.checkText(value, offset);
    if (typeof value === 'number' && !denotesItself(this.text.slice(offset, offset + length))) {
      this.refuse(
        'INEXACT_NUMBER',
        offset,
        `the number at character ${offset} cannot be kept exactly; send it as text`,
      );
    }
    this.place(value === 0 ? 0 : (value as JsonValue), offset, offset + length);
  }

  private checkText(text: string, offset: number): void {
    if (/\p{Surrogate}/u.test(text))
      this.refuse('LONE_SURROGATE', offset, `lone surrogate in the text at character ${offset}`);
    if (text.includes('\0'))
      this.refuse('NUL_CHARACTER', offset, `U+0000 in the text at character ${offset}`);
  }

  private place(value: JsonValue, start: number, end: number): void {
    if (this.wanted.size > 0) {
      const pointer = this.path();
      if (this.wanted.has(pointer)) this.slices.set(pointer, this.text.slice(start, end));
    }
    const level = this.levels.at(-1);
    if (level === undefined) this.root = { value };
    else if (Array.isArray(level.container)) level.container.push(value);
    else if (level.name !== null) level.container[level.name] = value;
    else throw new Error('bug: a member without a name');
  }

  private path(): string {
    return this.levels
      .map(({ container, name }) => (Array.isArray(container) ? container.length : name))
      .map((token) => (token === null ? '' : pointerToken(token)))
      .join('');
  }

  private refuse(fault: JsonFault, position: number, detail: string): never {
    throw new Refused(refusal(fault, this.path(), position, detail));
  }
}
