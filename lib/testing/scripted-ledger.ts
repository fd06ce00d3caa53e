// A client before a network that answers by script, on a clock that moves only when everything waits for it.
import { createLedgerClient, type ClaimRequest, type RetryPolicy } from '@/lib/ledger/client';
import { problemType, PROBLEM_CODES, type ProblemCode } from '@/lib/domain/problem-codes';
import { VirtualClock } from './virtual-clock';

const ID = '00000000-0000-4000-8000-000000000001';

export const request: ClaimRequest = {
  key: 'K-1',
  operation: 'refund.create',
  requestId: 'r',
  payload: { amount: 1 },
};

interface Sent {
  readonly at: number;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown>;
}

export function problem(
  code: ProblemCode,
  headers: Record<string, string> = {},
  extras: object = {},
): Response {
  const { status, title } = PROBLEM_CODES[code];
  const body = { type: problemType(code), title, status, detail: title, code, ...extras };
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/problem+json', ...headers },
  });
}

export const claimed = () =>
  new Response(
    JSON.stringify({
      disposition: 'CLAIMED',
      executionId: ID,
      fencingToken: '1',
      attempt: 1,
      leaseExpiresAt: '2026-11-29T00:01:00Z',
    }),
    { status: 201 },
  );

/** The claimed record after its announcement, on the scripted clock; `more` says what is different. */
export const record = (more: object = {}): object => ({
  executionId: ID,
  operation: request.operation,
  key: request.key,
  state: 'PROCESSING',
  stateSince: '2026-11-29T00:00:00Z',
  attempt: 1,
  fencingToken: '1',
  owner: 'o',
  leaseExpiresAt: '2026-11-29T00:01:00Z',
  effectStartedAt: '2026-11-29T00:00:00Z',
  fingerprint: `sha256:${'0'.repeat(64)}`,
  ...Object.fromEntries(
    [
      ...['contentVersion', 'requestId', 'workflowId', 'step', 'target', 'businessRef', 'externalRequestKey'],
      ...['resultId', 'resultUrl', 'supersededBy', 'reissueOf', 'nextCheckAt', 'expiresAt'],
    ].map((name) => [name, null]),
  ),
  underReview: false,
  createdAt: '2026-11-29T00:00:00Z',
  updatedAt: '2026-11-29T00:00:00Z',
  sendBefore: '2026-11-29T00:01:00Z',
  ...more,
});

/** An answer of JSON, whoever gives it. */
export const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });

export type Step = (clock: VirtualClock, init: RequestInit) => Response | Error | Promise<Response>;

/** A client before a scripted network; the last step repeats for ever. */
export function scripted(steps: Step[], retry: Partial<RetryPolicy> = {}) {
  const clock = new VirtualClock();
  const sent: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const step = steps[Math.min(sent.length, steps.length - 1)]!;
    sent.push({
      at: clock.now(),
      url: String(input),
      headers: init.headers as Record<string, string>,
      body: JSON.parse(String(init.body ?? '{}')) as Record<string, unknown>,
    });
    const outcome = await step(clock, init);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const client = createLedgerClient({
    baseUrl: 'http://ledger.test/',
    token: 'oo_live_x',
    fetch,
    clock,
    retry,
  });
  return {
    client,
    clock,
    sent,
    claim: (call?: Parameters<typeof client.claim>[1]) => clock.run(client.claim(request, call)),
  };
}

/** The connection breaks: what was sent may have arrived. */
export const lost: Step = () => new TypeError('fetch failed', { cause: new Error('ECONNRESET') });
/** No answer until the caller gives up. */
export const hang: Step = (_, init) =>
  new Promise((_resolve, reject) =>
    init.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
  );
