import { notJson } from '../../domain/json-value';
import { formatKeyHeader, keyFault } from '../../domain/keys';
import {
  about,
  isEffectStarted,
  isExecution,
  isExecutionPage,
  isKeylessAnswer,
  type Reader,
} from './answer-forms';
import { newAttemptId } from './attempt-id';
import { DEFAULT_BUDGET } from './budgets';
import { systemClock } from './clock';
import type { Sending } from './exchange';
import { once } from './once';
import { readAnswer, readClaimAnswer } from './read-answer';
import { readJson } from './read-problem';
import { sendWithRetry, type Settled } from './retry';
import type {
  Answer,
  CallOptions,
  ClaimRequest,
  LedgerClient,
  LedgerClientOptions,
  WaitingQuery,
} from './types';

/** A client of the producer API for one principal. It holds no connection. */
export function createLedgerClient(options: LedgerClientOptions): LedgerClient {
  const base = `${options.baseUrl.replace(/\/+$/, '')}/api/v1`;
  const sender = {
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    clock: options.clock ?? systemClock,
  };
  const running = new Set<string>();
  const owner = options.owner ?? `client-${newAttemptId()}`;
  const statusUrl = (executionId: string) => `${base}/executions/${encodeURIComponent(executionId)}`;
  const findUrl = (operation: string, key: string) =>
    `${base}/executions?${new URLSearchParams({ operation, key })}`;

  const send = (
    sending: Omit<Sending, 'headers'> & { headers?: Record<string, string> },
    call: CallOptions,
  ): Promise<Settled> => {
    const headers = {
      Authorization: `Bearer ${options.token}`,
      Accept: 'application/json, application/problem+json',
      ...(sending.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...sending.headers,
    };
    return sendWithRetry(
      sender,
      { ...sending, headers },
      { ...DEFAULT_BUDGET, ...options.retry, ...call.retry },
      call,
    );
  };
  const get = async <T>(url: string, call: CallOptions, isForm: Reader<T>): Promise<Answer<T>> =>
    readAnswer(await send({ method: 'GET', url, repeatable: true }, call), url, isForm);
  const post = async <T>(
    executionId: string,
    verb: string,
    body: object,
    call: CallOptions,
    isForm: Reader<T>,
  ): Promise<Answer<T>> => {
    const url = `${statusUrl(executionId)}/${verb}`;
    // Every report repeats itself: the same verb with the same token answers the same.
    const isAnswer = (text: string) => isForm(readJson(text));
    const sending = { method: 'POST', url, body: JSON.stringify(body), repeatable: true, isAnswer } as const;
    const settled = await send(sending, call);
    return readAnswer(settled, statusUrl(executionId), isForm);
  };
  const arrival = (path: string, request: ClaimRequest, attemptId: string | undefined) => {
    const { key, ...fields } = request;
    requireKey(key);
    requireJson(fields.payload, 'payload');
    const body = JSON.stringify({ ...fields, owner: fields.owner ?? owner, attemptId });
    return {
      method: 'POST' as const,
      url: `${base}${path}`,
      headers: { 'Idempotency-Key': formatKeyHeader(key) },
      body,
      repeatable: true,
    };
  };

  const client: LedgerClient = {
    owner,
    statusUrl,
    async claim(request, call = {}) {
      // Made before the first send and the same in every repetition: a lost answer must not lock us out (B-02).
      const attemptId = request.attemptId ?? newAttemptId();
      return readClaimAnswer(
        await send(arrival('/executions', request, attemptId), call),
        attemptId,
        statusUrl,
        findUrl(request.operation, request.key),
      );
    },
    async register(request, call = {}) {
      return readAnswer(
        await send(arrival('/executions/register', request, request.attemptId), call),
        findUrl(request.operation, request.key),
        isExecution,
      );
    },
    effectStarted: (id, body, call = {}) =>
      post(id, 'effect-started', body, call, about(id, isEffectStarted, body.fencingToken)),
    heartbeat: (id, body, call = {}) => post(id, 'heartbeat', body, call, about(id, isExecution)),
    complete: (id, body, call = {}) => post(id, 'complete', body, call, about(id, isExecution)),
    fail: (id, body, call = {}) => post(id, 'fail', body, call, about(id, isExecution)),
    reportUnknown: (id, body, call = {}) => post(id, 'unknown', body, call, about(id, isExecution)),
    cancel: (id, body, call = {}) => post(id, 'cancel', body, call, about(id, isExecution)),
    get: (id, call = {}) => get(statusUrl(id), call, about(id, isExecution)),
    find: (operation, key, call = {}) => get(findUrl(operation, key), call, isExecutionPage),
    listWaiting: (query, call = {}) =>
      get(`${base}/executions?${waitingParams(query)}`, call, isExecutionPage),
    // By query and not by path: no address can hold a segment that is one or two dots.
    listWorkflow: (workflowId, call = {}) =>
      get(`${base}/executions?${new URLSearchParams({ workflowId })}`, call, isExecutionPage),
    async keyless(body, call = {}) {
      requireJson(body.payload, 'payload');
      const sending = {
        method: 'POST' as const,
        url: `${base}/intakes/keyless`,
        body: JSON.stringify(body),
        repeatable: false,
      };
      return readAnswer(await send(sending, call), null, isKeylessAnswer);
    },
    once: (request, effect) => once({ client, ...sender, running }, request, effect),
  };
  return client;
}

function waitingParams(query: WaitingQuery): URLSearchParams {
  const params = new URLSearchParams({ state: query.state });
  if (query.operation !== undefined) params.set('operation', query.operation);
  if (query.reissued !== undefined) params.set('reissued', String(query.reissued));
  if (query.limit !== undefined) params.set('limit', String(query.limit));
  if (query.cursor !== undefined) params.set('cursor', query.cursor);
  return params;
}

/** A missing or impossible key is a mistake in the program, not an answer: it throws before anything is sent (B-76). */
export function requireKey(key: string): void {
  const fault = typeof key === 'string' ? keyFault(key, { allowPersonal: true }) : 'EMPTY';
  if (fault !== null) throw new TypeError(`the key cannot be used: ${fault}`);
}

/** JSON.stringify would send another content than the program meant, under the same key (B-55). */
export function requireJson(value: unknown, name: string): void {
  const fault = value === undefined ? null : notJson(value);
  if (fault !== null) throw new TypeError(`${name}${fault.path} is not JSON: ${fault.why}`);
}
