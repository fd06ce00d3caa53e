import type { z } from 'zod';
import { pointerToken, readPointer } from '@/lib/domain/json-pointer';
import { visibleText } from '@/lib/domain/visible-text';
import { safeParse } from '@/lib/domain/safe-parse';
import { ProblemError } from './problem';

/** Faults told at once; a longer list helps nobody. */
const MOST_FAULTS = 20;

interface Fault {
  /** JSON pointer of the member. */
  readonly pointer: string;
  readonly detail: string;
}

/** What a schema makes of a body, or a 400 that names each member at fault. Values are never echoed. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const read = check(schema, input, 'is not a member of this body');
  if (read.ok) return read.data;
  const [first] = read.faults;
  throw new ProblemError(
    'INVALID_REQUEST',
    first === undefined
      ? 'the request does not fit'
      : `${first.pointer.slice(1) || 'the body'}: ${first.detail}`,
    { errors: read.faults },
  );
}

/** The same for the parameters of an address. */
export function parseQuery<Schema extends z.ZodType>(
  schema: Schema,
  query: Readonly<Record<string, string>>,
): z.output<Schema> {
  const read = check(schema, query, 'is not a query parameter of this list');
  if (read.ok) return read.data;
  throw queryFault(read.faults.map(({ pointer, detail }) => ({ parameter: pointer.slice(1), detail })));
}

export function queryFault(errors: readonly { parameter: string; detail: string }[]): ProblemError {
  const [first] = errors;
  return new ProblemError(
    'INVALID_REQUEST',
    first === undefined ? 'the query does not fit' : `query parameter ${first.parameter}: ${first.detail}`,
    { errors },
  );
}

type Checked<Data> = { ok: true; data: Data } | { ok: false; faults: Fault[] };

function check<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  unknownName: string,
): Checked<z.output<Schema>> {
  const result = safeParse(schema, input);
  if (result.success) return { ok: true, data: result.data };
  // What is not known comes first: beside it, what is missing is usually the same thing misspelt.
  const issues = result.error.issues.toSorted((left, right) => rank(left) - rank(right));
  return {
    ok: false,
    faults: issues.flatMap((issue) => faultsOf(issue, input, unknownName)).slice(0, MOST_FAULTS),
  };
}

const rank = (issue: z.core.$ZodIssue) => (issue.code === 'unrecognized_keys' ? 0 : 1);

function faultsOf(issue: z.core.$ZodIssue, input: unknown, unknownName: string): Fault[] {
  const pointer = issue.path.map((token) => pointerToken(String(token))).join('');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ pointer: pointer + pointerToken(shown(key)), detail: unknownName }));
  const missing = issue.code !== 'custom' && readPointer(input, pointer) === undefined;
  return [{ pointer, detail: missing ? 'is missing' : issue.message }];
}

/** A caller's own member name may be anything; it is shortened and its invisible characters are spelt out. */
export function shown(key: string): string {
  return visibleText(key.length > 64 ? `${key.slice(0, 64)}…` : key);
}
