import { randomUUID } from 'node:crypto';
import { sqlstateOf } from '@/lib/db/sqlstate';
import type { FieldRefusal } from '@/lib/domain/fingerprint';
import { isOperation, keyFault, readKeyHeader, type KeyFault } from '@/lib/domain/keys';
import type { JsonObject, JsonValue } from '@/lib/domain/json-value';
import { contentOfFingerprint, contentOfPayload, type ArrivalContent } from '../arrival-content';
import { readArrivalPolicies, type ArrivalPolicies } from '../operation-policies';
import { arrive, arriveKeyless, type ArrivalCall } from '../protocol';
import { requireOperation } from './authenticate';
import { claimResponse, registerResponse } from './claim-answer';
import type { ApiContext } from './context';
import { IMPOSSIBLE } from './database-errors';
import { parseInput } from './parse-input';
import { jsonResponse, ProblemError } from './problem';
import { readBody } from './request-body';
import { claimBody, keylessBody, type ClaimInput } from './schemas';

/** `POST /executions`: claim. */
export async function claim(c: ApiContext): Promise<Response> {
  const body = await readAuthorized(c);
  const input = parseInput(claimBody, body);
  const policies = await readArrivalPolicies(c.var.pool, c.var.principal.tenantId, input.operation);
  const key = readKey(c);
  if (key === null) return missingKey(c, input, policies);
  const answer = await arriveUnder(c, 'claim', input, key, policies);
  return claimResponse(answer, { respondAsync: prefersAsync(c.req.header('prefer')) });
}

/** `POST /executions/register`: make the record without claiming it. */
export async function register(c: ApiContext): Promise<Response> {
  const body = await readAuthorized(c);
  const input = parseInput(claimBody, body);
  const policies = await readArrivalPolicies(c.var.pool, c.var.principal.tenantId, input.operation);
  const key = readKey(c);
  if (key === null) return missingKey(c, input, policies);
  const answer = await arriveUnder(c, 'register', input, key, policies);
  return registerResponse(answer);
}

/** `POST /intakes/keyless`: a request arrived without a key; recorded, and nothing is executed in its name. */
export async function keyless(c: ApiContext): Promise<Response> {
  const body = await readAuthorized(c);
  const input = parseInput(keylessBody, body);
  const policies = await readArrivalPolicies(c.var.pool, c.var.principal.tenantId, input.operation);
  const { intakeId, disposition } = await recordKeyless(c, input, policies);
  return jsonResponse(202, { intakeId, disposition });
}

/** Body and permission, in the order of R-018: a token without the operation learns nothing about its form. */
async function readAuthorized(c: ApiContext): Promise<JsonObject> {
  const { value } = await readBody(c.req.raw);
  if (typeof value['operation'] === 'string') {
    // Into the log only what is an operation's name: anything else is the caller's own text.
    if (isOperation(value['operation'])) c.var.facts.operation = value['operation'];
    requireOperation(c.var.principal, value['operation']);
  }
  return value;
}

const FAULTS: Record<KeyFault, string> = {
  EMPTY: 'the key is empty',
  TOO_LONG: 'the key is longer than 255 characters',
  NOT_VISIBLE_ASCII: 'the key holds characters other than visible ASCII (0x21 to 0x7e)',
  REPEATED: 'the header was sent more than once',
  MALFORMED_STRING: 'the quoted key is not an RFC 8941 string',
  LOOKS_LIKE_EMAIL: 'the key looks like an e-mail address; keys must not hold personal data',
  LOOKS_LIKE_PHONE: 'the key looks like a phone number; keys must not hold personal data',
  LOOKS_LIKE_NATIONAL_ID: 'the key looks like a national id; keys must not hold personal data',
};

function readKey(c: ApiContext): string | null {
  const reading = readKeyHeader(c.req.header('idempotency-key') ?? null, { allowPersonal: true });
  if (reading.ok) return reading.key;
  if (reading.code === 'IDEMPOTENCY_KEY_MISSING') return null;
  throw invalidKey(reading.fault);
}

function invalidKey(fault: KeyFault): ProblemError {
  return new ProblemError('IDEMPOTENCY_KEY_INVALID', `Idempotency-Key: ${FAULTS[fault]}`);
}

/**
 * What the policy in force does not take makes no new record, but is answered where an older policy made one: a policy
 * change turns no retransmission into an error. The database knows which of the two it is.
 */
async function arriveUnder(
  c: ApiContext,
  verb: 'claim' | 'register',
  input: ClaimInput,
  key: string,
  policies: ArrivalPolicies,
) {
  const { content, refusedNow } = contentOf(c, input, policies);
  const fault = policies.inForce.allowPersonalKeys ? null : keyFault(key);
  const refusal = fault === null ? refusedNow : invalidKey(fault);
  const call = { ...toCall(input, key, content), onlyExisting: refusal !== null };
  try {
    const answer = await arrive(c.var.pool, verb, c.var.principal.principalId, call);
    note(c, answer);
    return answer;
  } catch (error) {
    throw refusal !== null && sqlstateOf(error) === IMPOSSIBLE ? refusal : error;
  }
}

async function missingKey(c: ApiContext, input: ClaimInput, policies: ArrivalPolicies): Promise<Response> {
  const answer = await recordKeyless(c, input, policies);
  if (answer.unprotected) return jsonResponse(200, { disposition: 'KEY_MISSING', unprotected: true });
  throw new ProblemError(
    'IDEMPOTENCY_KEY_MISSING',
    'Send the header Idempotency-Key. The arrival was recorded; nothing was executed.',
  );
}

async function recordKeyless(
  c: ApiContext,
  input: {
    operation: string;
    requestId: string;
    payload?: JsonValue;
    fingerprint?: string;
    traceId?: string;
  },
  policies: ArrivalPolicies,
) {
  const content =
    input.payload === undefined && input.fingerprint === undefined ? null : contentOf(c, input, policies);
  if (content !== null && content.refusedNow !== null) throw content.refusedNow;
  const { operation, requestId, traceId } = input;
  const answer = await arriveKeyless(c.var.pool, c.var.principal.principalId, {
    operation,
    requestId,
    traceId,
    ...content?.content,
  });
  c.var.facts.code = 'KEY_MISSING';
  return answer;
}

function contentOf(
  c: ApiContext,
  input: { payload?: JsonValue; fingerprint?: string },
  policies: ArrivalPolicies,
): { content: ArrivalContent; refusedNow: ProblemError | null } {
  if (input.fingerprint !== undefined)
    return { content: contentOfFingerprint(input.fingerprint, policies), refusedNow: null };
  if (input.payload === undefined) throw new Error('bug: an arrival with neither payload nor fingerprint');
  const counted = contentOfPayload(input.payload, policies, c.var.fieldHashKey());
  if (!counted.ok) throw refusedPayload(counted);
  const { value: content, refusedNow } = counted;
  return { content, refusedNow: refusedNow === null ? null : refusedPayload(refusedNow) };
}

function refusedPayload({ pointer: place, detail }: FieldRefusal): ProblemError {
  const pointer = `/payload${place}`;
  return new ProblemError('INVALID_REQUEST', `${pointer.slice(1)}: ${detail}`, {
    errors: [{ pointer, detail }],
  });
}

function toCall(input: ClaimInput, key: string, content: ArrivalContent): ArrivalCall {
  const { payload: _payload, fingerprint: _fingerprint, ...members } = input;
  // Without an attempt id of the caller's own, one of ours still makes our own repetition after a lost answer safe.
  return { ...members, attemptId: input.attemptId ?? randomUUID(), key, ...content };
}

function note(
  c: ApiContext,
  answer: { code: string | null; disposition: string | null; execution?: { executionId: string } },
): void {
  c.var.facts.code = answer.code ?? answer.disposition ?? undefined;
  c.var.facts.executionId = answer.execution?.executionId;
}

/** RFC 7240: the preference among others, in any case, with or without parameters. */
function prefersAsync(header: string | undefined): boolean {
  return (header ?? '').split(',').some((preference) => /^respond-async\s*(;|$)/i.test(preference.trim()));
}
