import { z } from 'zod';
import { EffectInDoubt, FinalRefusal, type EffectResult } from '@/lib/ledger/client';
import { type Fault } from '../systems/fault';
import { callSystem, type ExternalCall } from './external-call';
import { type OperationName, type Payload } from './intent';
import { type SystemsAccess } from './protocol';

/** One effect to make: what, under which key, and how the call goes wrong. */
export interface EffectRequest {
  operation: OperationName;
  key: string;
  payload: Payload;
  faults?: readonly Fault[];
  deadlineMs?: number;
  signal?: AbortSignal;
  reachable?: boolean;
}

export interface Effect extends EffectResult {
  resultId: string;
  resultUrl: string;
}

const thingSchema = z.object({ id: z.string(), url: z.string(), status: z.string() });
const listSchema = z.object({ items: z.array(thingSchema) });

/**
 * Makes the effect of an operation in its external system and answers with the system's own id of it.
 * Throws what the client understands: `NotSent`, `FinalRefusal`, or something that leaves doubt.
 */
export async function performEffect(systems: SystemsAccess, request: EffectRequest): Promise<Effect> {
  if (request.operation === 'delete-crm-record') return deleteRecord(systems, request);
  const answer = await callSystem(systems, { ...CALLS[request.operation](request), ...common(request) });
  const thing = thingSchema.parse(answer.body);
  if (thing.status === 'failed') {
    const body = { error: 'payment_refused', paymentId: thing.id };
    throw new FinalRefusal('PAYMENT_REFUSED', `payment ${thing.id} was refused by the bank`, {
      status: 402,
      body,
    });
  }
  if (thing.status === 'reversed') throw new EffectInDoubt('REVERSED', `payment ${thing.id} was given back`);
  if (thing.status === 'pending')
    throw new EffectInDoubt('STILL_PENDING', `payment ${thing.id} is not settled yet`);
  return { resultId: thing.id, resultUrl: thing.url, response: { status: 201, body: { id: thing.id } } };
}

/**
 * Looks for an effect that an earlier attempt may have left: systems without request keys would make a second
 * one. Null when there is none; the first one found otherwise.
 */
export async function findEffect(systems: SystemsAccess, request: EffectRequest): Promise<Effect | null> {
  const question = QUESTIONS[request.operation];
  if (question === null) return null;
  const { body } = await callSystem(systems, {
    ...question(request.key),
    method: 'GET',
    reference: request.key,
  });
  const [thing] = listSchema.parse(body).items;
  return thing === undefined ? null : { resultId: thing.id, resultUrl: thing.url };
}

async function deleteRecord(systems: SystemsAccess, request: EffectRequest): Promise<Effect> {
  const id = String(request.payload.recordId);
  const path = `/records/${encodeURIComponent(id)}`;
  await callSystem(systems, { system: 'crm', method: 'DELETE', path, ...common(request) });
  return {
    resultId: id,
    resultUrl: systems.crm.url + path,
    response: { status: 200, body: { id, deleted: true } },
  };
}

function common(
  request: EffectRequest,
): Pick<ExternalCall, 'reference' | 'faults' | 'deadlineMs' | 'signal' | 'reachable'> {
  const { key, faults, deadlineMs, signal, reachable } = request;
  return { reference: key, faults, deadlineMs, signal, reachable };
}

type Call = Omit<ExternalCall, 'reference'>;

function createRecord({ key, payload }: EffectRequest): Call {
  return { system: 'crm', method: 'POST', path: '/records', body: { ...payload, externalReference: key } };
}

const CALLS: Record<Exclude<OperationName, 'delete-crm-record'>, (request: EffectRequest) => Call> = {
  'create-crm-record': createRecord,
  'register-monthly-report': createRecord,
  'send-receipt-mail': ({ key, payload }) => ({
    system: 'mail',
    method: 'POST',
    path: '/messages',
    body: { ...payload, headers: { 'X-Reference': key } },
  }),
  'create-payment': ({ key, payload }) => ({
    system: 'payment',
    method: 'POST',
    path: '/payments',
    requestKey: key,
    body: { ...payload, reference: key },
  }),
};

type Question = (key: string) => Pick<ExternalCall, 'system' | 'path'>;
const searchRecords: Question = (key) => ({
  system: 'crm',
  path: `/records?external_reference=${encodeURIComponent(key)}`,
});

/** Null where nothing is left to be found: a deletion is repeated by its id, and harmless. */
const QUESTIONS: Record<OperationName, Question | null> = {
  'create-crm-record': searchRecords,
  'register-monthly-report': searchRecords,
  'send-receipt-mail': (key) => ({
    system: 'mail',
    path: `/messages?header=X-Reference&value=${encodeURIComponent(key)}`,
  }),
  'create-payment': (key) => ({ system: 'payment', path: `/payments?reference=${encodeURIComponent(key)}` }),
  'delete-crm-record': null,
};
