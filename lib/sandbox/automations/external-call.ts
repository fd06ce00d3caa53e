import { z } from 'zod';
import { EffectInDoubt, FinalRefusal, NotSent } from '@/lib/ledger/client';
import { formatFaults, type Fault } from '../systems/fault';
import { type SystemName } from '../settings';
import { type SystemsAccess } from './protocol';

export interface ExternalCall {
  system: SystemName;
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** The execution key, passed on to the system. */
  reference: string;
  body?: object;
  /** Sent as `Idempotency-Key`, to the system that honours it. */
  requestKey?: string;
  faults?: readonly Fault[];
  /** The caller's own deadline in milliseconds. Default 10 s. */
  deadlineMs?: number;
  signal?: AbortSignal;
  /** False sends to a port where nobody listens: the call provably never left. */
  reachable?: boolean;
}

type Json = z.infer<ReturnType<typeof z.json>>;

const CONNECTION_NEVER_MADE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH']);
/** A port of loopback that belongs to no service in use, so the connection is refused at once. */
const NOBODY = 'http://127.0.0.1:2';

/**
 * One call of an external system. What is certain is thrown as such: `NotSent` when no connection came about,
 * `FinalRefusal` on 4xx. A time-out, a lost connection and a 5xx leave doubt.
 */
export async function callSystem(
  systems: SystemsAccess,
  call: ExternalCall,
): Promise<{ status: number; body: Json }> {
  const { url, secret } = systems[call.system];
  const deadline = AbortSignal.timeout(call.deadlineMs ?? 10_000);
  try {
    const response = await fetch((call.reachable === false ? NOBODY : url) + call.path, {
      method: call.method,
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        'x-reference': call.reference,
        ...(call.requestKey === undefined ? {} : { 'idempotency-key': call.requestKey }),
        ...(call.faults === undefined || call.faults.length === 0
          ? {}
          : { 'x-sandbox-fault': formatFaults(call.faults) }),
      },
      body: call.body === undefined ? undefined : JSON.stringify(call.body),
      signal: call.signal === undefined ? deadline : AbortSignal.any([deadline, call.signal]),
    });
    const body = z.json().parse(await response.json());
    if (response.status >= 500)
      throw new EffectInDoubt(`HTTP_${response.status}`, `${call.system} answered ${response.status}`);
    if (response.status >= 400 && call.method !== 'GET') throw refusal(call.system, response.status, body);
    return { status: response.status, body };
  } catch (error) {
    throw classified(error, call, deadline.aborted);
  }
}

function refusal(system: string, status: number, body: Json): FinalRefusal {
  return new FinalRefusal(`HTTP_${status}`, `${system} refused with ${status}`, {
    status: status === 404 || status === 422 ? status : 409,
    headers: { 'content-type': 'application/json' },
    body,
  });
}

function classified(error: unknown, call: ExternalCall, timedOut: boolean): unknown {
  if (timedOut)
    return new EffectInDoubt(
      'TIMED_OUT',
      `no answer from ${call.system} within ${call.deadlineMs ?? 10_000} ms`,
    );
  if (!(error instanceof TypeError)) return error;
  const cause = error.cause as { code?: string } | undefined;
  return CONNECTION_NEVER_MADE.has(cause?.code ?? '')
    ? new NotSent('UNREACHABLE', `${call.system} could not be reached: ${cause?.code}`)
    : new EffectInDoubt(
        'CONNECTION_LOST',
        `connection to ${call.system} lost: ${cause?.code ?? error.message}`,
      );
}
