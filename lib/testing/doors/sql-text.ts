// The statements of a SQL producer, as lib/ledger/README.md shows them, and what their answers say.
import pg from 'pg';
import type { ReportVerb } from '@/lib/ledger/protocol';
import { contentOf, told, type Reported, type Sent, type Told } from './door';

type Value = string | number | boolean | object | undefined;

function literal(value: Exclude<Value, undefined>): string {
  if (typeof value === 'object') return pg.escapeLiteral(JSON.stringify(value));
  return typeof value === 'string' ? pg.escapeLiteral(value) : String(value);
}

/** A call with named arguments; those that are undefined keep their defaults. */
function call(name: string, positional: readonly string[], named: Readonly<Record<string, Value>>): string {
  const rest = Object.entries(named).flatMap(([argument, value]) =>
    value === undefined ? [] : [`${argument} => ${literal(value)}`],
  );
  return `SELECT ledger.${name}(${[...positional, ...rest].join(', ')});`;
}

/** `fingerprint` is made in the script itself, as a producer without our library would. */
function arrival(name: 'claim' | 'register', sent: Sent, more: Readonly<Record<string, Value>>): string {
  const text = literal(JSON.stringify(contentOf(sent)));
  const fingerprint = `'sha256:' || encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;
  return call(name, [literal(sent.operation), literal(sent.key), fingerprint], {
    request_id: sent.requestId ?? 'request-1',
    content_version: sent.contentVersion,
    target_system: sent.target?.system,
    target_account: sent.target?.account,
    business_ref: sent.businessRef,
    approval_ref: sent.approvalRef,
    ...more,
  });
}

export const claimText = (sent: Sent): string =>
  arrival('claim', sent, {
    owner: sent.owner,
    lease_seconds: sent.leaseSeconds,
    attempt_id: sent.attemptId,
  });

export const registerText = (sent: Sent): string => arrival('register', sent, {});

export function reportText(verb: ReportVerb, executionId: string, reported: Reported): string {
  const { fencingToken, resultId, resultUrl, target, response, retryable, code, message, basis } = reported;
  const id = literal(executionId);
  if (verb === 'cancel')
    return call('cancel', [id, literal(reported.reason ?? '')], {
      fencing_token: fencingToken === undefined ? undefined : Number(fencingToken),
    });
  const name = { 'effect-started': 'effect_started', unknown: 'report_unknown' }[verb as string] ?? verb;
  return call(name, [id, fencingToken ?? 'NULL'], {
    retryable,
    code,
    message,
    basis,
    result_id: resultId,
    result_url: resultUrl,
    target_system: target?.system,
    target_account: target?.account,
    response_status: response?.status,
    response_headers: response?.headers,
    response_body: response?.body,
  });
}

/** What the functions answer; see lib/ledger/README.md. */
interface Answer {
  readonly code: string | null;
  readonly disposition?: string | null;
  readonly execution?: Readonly<Record<string, unknown>>;
  readonly replay?: { status: number; headers: Record<string, string>; body: string | null } | null;
  readonly [member: string]: unknown;
}

export function toldByAnswer(text: string): Told {
  const answer = JSON.parse(text) as Answer;
  const { code, disposition, execution, replay } = answer;
  const isResult = disposition === 'RESULT_REUSED' && code === null && replay == null;
  const handsOver = disposition !== undefined && disposition !== 'RESULT_REUSED' && code === null;
  const isReport = disposition === undefined;
  const showsResult = isResult || isReport || code === 'IDEMPOTENCY_KEY_EXPIRED';
  const of = (member: string) => (execution?.[member] ?? null) as never;
  return told({
    word: code ?? (replay != null ? 'REPLAYED' : (disposition ?? 'OK')),
    executionId: (answer['firstExecutionId'] as string | undefined) ?? of('executionId'),
    fencingToken: handsOver || isReport ? of('fencingToken') : null,
    attempt: handsOver ? of('attempt') : null,
    state: isReport || disposition === 'REGISTERED' ? of('state') : null,
    leaseExpiresAt: handsOver ? of('leaseExpiresAt') : null,
    owner: answer['owner'] as never,
    retryAfterSeconds: answer['retryAfterSeconds'] as never,
    replay:
      replay == null
        ? null
        : { status: replay.status, location: replay.headers['location'] ?? null, body: replay.body ?? '' },
    resultId: showsResult ? of('resultId') : null,
    resultUrl: showsResult ? of('resultUrl') : null,
    failureCode: answer['failureCode'] as never,
    newKey: answer['newKey'] as never,
    newExecutionId: answer['newExecutionId'] as never,
    underReview: code === 'RECONCILE_REQUIRED' ? of('underReview') : null,
    sendBefore: answer['sendBefore'] as never,
  });
}

/** A call that the database refuses as impossible, in the words of the API; anything else is a fault of the test. */
export function toldByError(sqlstate: string | undefined, message: string): Told {
  if (sqlstate !== 'OO005') throw new Error(`${sqlstate ?? 'no SQLSTATE'}: ${message}`);
  return { word: /^(the )?key\b/.test(message) ? 'IDEMPOTENCY_KEY_INVALID' : 'UNPROCESSABLE' };
}
