import { isOperation, keyFault } from '../../domain/keys';
import { parseStrictJson } from '../../domain/json-strict';
import { isJsonObject } from '../../domain/json-value';
import { newAttemptId } from './attempt-id';

/**
 * What names one piece of work wherever it goes: made and stored before the first send, carried in a queue message or
 * handed to a sub-tool as text, and spread into `claim` or `once` on the other side.
 */
export interface Intent {
  readonly operation: string;
  readonly key: string;
  /** Of one attempt: a later attempt at the same work is `nextAttempt(intent)`. */
  readonly attemptId: string;
  readonly workflowId?: string;
  readonly step?: string;
  readonly traceId?: string;
}

/** Longest text per member, as the API takes them. */
const OPTIONAL = { workflowId: 255, step: 128, traceId: 128 } as const;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Version of the written form. */
const FORM = 'intent/1';

/** A new intent with an attempt id of its own. Throws a TypeError when a member could never be claimed. */
export function newIntent(members: Omit<Intent, 'attemptId'> & { readonly attemptId?: string }): Intent {
  return checked({ ...members, attemptId: members.attemptId ?? newAttemptId() });
}

/** The same work, tried anew: only after the ledger has said that it may be (`FAILED` with `retryable`, `RELEASED`). */
export function nextAttempt(intent: Intent): Intent {
  return { ...intent, attemptId: newAttemptId() };
}

/** The intent as JSON text for a queue, a file or an environment variable. */
export function writeIntent(intent: Intent): string {
  return JSON.stringify({ onceover: FORM, ...checked(intent) });
}

/** Reads what `writeIntent` wrote. Throws a TypeError that names the fault: a garbled intent must never become other work. */
export function readIntent(text: string): Intent {
  const reading = parseStrictJson(text);
  if (!reading.ok) throw unreadable(reading.detail);
  if (!isJsonObject(reading.value)) throw unreadable('no object');
  const { onceover, ...members } = reading.value;
  if (onceover !== FORM) throw unreadable(`the form is not ${FORM}`);
  return checked(members);
}

function checked(members: object): Intent {
  const { operation, key, attemptId, workflowId, step, traceId, ...others } = members as Record<
    string,
    unknown
  >;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) throw unreadable(`${stranger} is no member of an intent`);
  if (typeof operation !== 'string' || !isOperation(operation)) throw unreadable('operation is none');
  if (typeof key !== 'string' || keyFault(key, { allowPersonal: true }) !== null)
    throw unreadable('key is none');
  if (typeof attemptId !== 'string' || !UUID.test(attemptId)) throw unreadable('attemptId is no UUID');
  const names: { workflowId?: string; step?: string; traceId?: string } = {};
  for (const [name, value] of Object.entries({ workflowId, step, traceId })) {
    if (value === undefined) continue;
    const member = name as keyof typeof OPTIONAL;
    if (!isName(value, OPTIONAL[member])) throw unreadable(`${name} is no name`);
    names[member] = value;
  }
  return { operation, key, attemptId: attemptId.toLowerCase(), ...names };
}

function isName(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longest && !/\p{Cc}/u.test(value);
}

function unreadable(why: string): TypeError {
  return new TypeError(`not an intent: ${why}`);
}
