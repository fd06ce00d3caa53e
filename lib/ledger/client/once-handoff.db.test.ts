import { once as onceEvent } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createLedgerClient,
  FinalRefusal,
  newIntent,
  nextAttempt,
  NotSent,
  ProviderTransient,
  readIntent,
  SentAgain,
  writeIntent,
  type EffectContext,
  type EffectResult,
  type OnceOptions,
  type RepeatedSend,
} from '@/lib/ledger/client';
import { outsideSystem } from '@/lib/testing/outside-world';
import { producerApiUnderTest, type ProducerApiUnderTest } from '@/lib/testing/producer-api';

let api: ProducerApiUnderTest;
let provider: http.Server;
let address: string;
/** Requests that reached the provider, in their order. */
let arrived: string[] = [];
let answers: number[] = [];
let made = 0;

beforeAll(async () => {
  api = await producerApiUnderTest();
  provider = http.createServer((request, response) => {
    arrived.push(`${request.method} ${request.url}`);
    const status = answers.shift() ?? 201;
    // 0 stands for a connection that breaks after the work is done.
    if (status === 0) return request.socket.destroy();
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(`{"id":"MSG-${++made}"}`);
  });
  provider.listen(0, '127.0.0.1');
  await onceEvent(provider, 'listening');
  address = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
});
beforeEach(() => {
  arrived = [];
  answers = [];
});
afterAll(async () => {
  provider.close();
  await api.close();
});

const client = (owner?: string) =>
  createLedgerClient({
    baseUrl: api.url,
    token: api.tokens.north,
    ...(owner === undefined ? {} : { owner }),
  });

const work = (key: string, more: Partial<OnceOptions> = {}): OnceOptions =>
  ({ key, operation: 'send-mail', requestId: `r-${key}`, payload: { to: 'A-7' }, ...more }) as OnceOptions;

/** A foreign SDK that retries by itself, as many do, and throws errors of its own. */
async function retryingSdk(fetch: typeof globalThis.fetch, body: string, tries = 3): Promise<EffectResult> {
  let last: unknown;
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    try {
      const response = await fetch(`${address}/messages`, { method: 'POST', body });
      if (response.ok) return { resultId: ((await response.json()) as { id: string }).id };
      last = new Error(`status ${response.status}`);
    } catch (error) {
      last = error;
    }
  }
  throw new Error('the SDK gave up', { cause: last });
}

describe('R-034c one layer alone retries', () => {
  it('R-034c a retry inside an SDK is refused before it is sent, and the work is in doubt', async () => {
    answers = [0, 201];
    const outcome = await client().once(work('K-sdk'), ({ fetch }) => retryingSdk(fetch, 'receipt'));
    expect(arrived).toEqual(['POST /messages']);
    expect(outcome).toMatchObject({ kind: 'IN_DOUBT', execution: { state: 'UNKNOWN' } });
    const { rows } = await api.db
      .pool('owner')
      .query('select unknown_reason, failure_code from ledger.executions where idempotency_key = $1', [
        'K-sdk',
      ]);
    expect(JSON.stringify(rows)).toContain('SENT_AGAIN');
  });

  it.each([
    ['a final refusal', () => new FinalRefusal('X', 'x')],
    ['not sent', () => new NotSent('X', 'x')],
    ['a passing refusal', () => new ProviderTransient('X', 'x')],
  ])('R-034c after a refused repetition %s is no proof', async (name, error) => {
    answers = [503];
    const outcome = await client().once(work(`K-${name.replaceAll(' ', '-')}`), async ({ fetch }) => {
      await retryingSdk(fetch, 'receipt').catch(() => undefined);
      throw error();
    });
    expect(outcome).toMatchObject({ kind: 'IN_DOUBT', execution: { state: 'UNKNOWN' } });
    expect(arrived).toHaveLength(1);
  });

  it('R-034c a result found after it is believed, and lookups may be repeated', async () => {
    answers = [0, 200, 200];
    const outcome = await client().once(work('K-found'), async ({ fetch }) => {
      await retryingSdk(fetch, 'receipt').catch(() => undefined);
      await fetch(`${address}/messages?key=K-found`);
      const found = await fetch(`${address}/messages?key=K-found`);
      return { resultId: ((await found.json()) as { id: string }).id };
    });
    expect(outcome).toMatchObject({ kind: 'COMPLETED', execution: { resultId: `MSG-${made}` } });
    expect(arrived.filter((line) => line.startsWith('POST'))).toHaveLength(1);
  });

  it('R-034c another body or address is another request; a body that cannot be compared is the same', async () => {
    const errors: unknown[] = [];
    await client().once(work('K-bodies'), async ({ fetch }) => {
      const post = (path: string, body: BodyInit) =>
        fetch(`${address}${path}`, { method: 'post', body }).catch((error: unknown) => errors.push(error));
      await post('/one', 'a');
      await post('/one', 'b');
      await post('/two', 'a');
      await post('/one', new URLSearchParams('a'));
      await post('/two', new Uint8Array([1]));
      await post('/three', new Uint8Array([1]));
      await post('/three', 'a');
      await post('/one#again', 'a');
      await post('/four?a=1&b=2', 'a');
      await post('/four?b=2&a=1', 'a');
      await post('/four?b=1&a=2', 'a');
      await fetch(new Request(`${address}/one`, { method: 'DELETE' }));
      return { resultId: 'R' };
    });
    expect(arrived).toEqual([
      'POST /one',
      'POST /one',
      'POST /two',
      'POST /one',
      'POST /three',
      'POST /four?a=1&b=2',
      'POST /four?b=1&a=2',
      'DELETE /one',
    ]);
    expect(errors).toHaveLength(4);
    for (const error of errors) expect(error).toBeInstanceOf(SentAgain);
  });

  it('R-034c where the provider keeps our key the repetition can be allowed, and is told', async () => {
    answers = [503, 201];
    const told: RepeatedSend[] = [];
    const mayRepeat = (repeated: RepeatedSend) => told.push(repeated) < 3;
    const outcome = await client().once(work('K-allowed', { mayRepeat }), ({ fetch }) =>
      retryingSdk(fetch, 'x'),
    );
    expect(outcome).toMatchObject({ kind: 'COMPLETED' });
    expect(told).toEqual([{ method: 'POST', url: `${address}/messages`, sent: 1 }]);
  });

  it('B-34 R-036 nothing is sent when the lease is lost or the caller has stopped', async () => {
    const stop = new AbortController();
    const outcome = await client().once(work('K-stopped', { signal: stop.signal }), async ({ fetch }) => {
      stop.abort();
      return retryingSdk(fetch, 'x');
    });
    expect(outcome).toMatchObject({ kind: 'IN_DOUBT' });
    expect(arrived).toEqual([]);
  });
});

describe('R-035b one intent, delivered again and elsewhere', () => {
  const effectOf =
    (crm: ReturnType<typeof outsideSystem>, gate: Promise<void>, resultId: string) => async () => (
      await gate,
      crm.act(resultId)
    );

  it.each(['one client', 'two clients'])(
    'R-035b a queue delivers it twice at once to %s: one effect',
    async (kind) => {
      const crm = outsideSystem();
      const text = writeIntent(
        newIntent({ operation: 'send-mail', key: `K-twice-${kind.replace(' ', '-')}` }),
      );
      const first = client();
      const second = kind === 'one client' ? first : client();
      let open = () => undefined as void;
      const gate = new Promise<void>((resolve) => (open = resolve));
      const deliver = (to: typeof first) =>
        to.once(
          work('', { ...readIntent(text), requestId: 'r', payload: 1 } as never),
          effectOf(crm, gate, `R-${kind}`),
        );
      const running = [deliver(first), deliver(second)];
      const { key } = readIntent(text);
      await expect.poll(async () => (await api.execution(key))?.['effect_started_at'] ?? null).not.toBeNull();
      await expect.poll(async () => (await api.intakes(key)).includes('DUPLICATE_HELD')).toBe(true);
      open();
      const kinds = (await Promise.all(running)).map((outcome) => outcome.kind);
      expect(kinds.toSorted()).toEqual(['COMPLETED', 'DUPLICATE_HELD']);
      expect(crm.count()).toBe(1);
    },
  );

  it('R-035b after its first delivery is done it gets the result', async () => {
    const crm = outsideSystem();
    const intent = newIntent({
      operation: 'send-mail',
      key: 'K-redelivered',
      workflowId: 'wf-1',
      step: 'mail',
    });
    const deliver = (with_: typeof intent) =>
      client().once(work('', { ...with_, requestId: 'r', payload: 1 } as never), () => crm.act('R-2'));
    expect(await deliver(intent)).toMatchObject({ kind: 'COMPLETED' });
    expect((await deliver(intent)).kind).toMatch(/REPLAYED|RESULT_REUSED/);
    expect((await deliver(nextAttempt(intent))).kind).toMatch(/REPLAYED|RESULT_REUSED/);
    expect(crm.count()).toBe(1);
    expect(await client().listWorkflow('wf-1')).toMatchObject({ value: { items: [{ step: 'mail' }] } });
  });

  it('R-035b an attempt that a process left behind before its effect is taken over when its lease is over', async () => {
    const crm = outsideSystem();
    const intent = newIntent({ operation: 'send-mail', key: 'K-left' });
    const request = work('', { ...intent, requestId: 'r', payload: 1, leaseSeconds: 1 } as never);
    expect(await client('killed').claim(request)).toMatchObject({ kind: 'CLAIMED' });
    const again = () => client('restarted').once(request, () => crm.act('R-3'));
    await expect.poll(async () => (await again()).kind, { timeout: 10_000 }).toBe('COMPLETED');
    expect(crm.count()).toBe(1);
    expect(await api.execution('K-left')).toMatchObject({ fencing_token: '2', attempt: 2 });
  });

  it('R-035b what a sub-tool is given needs no more than the text', async () => {
    const seen: EffectContext[] = [];
    const tool = async (argument: string) =>
      client('tool').once(
        work('', { ...readIntent(argument), requestId: 'r', payload: 2 } as never),
        async (context) => {
          seen.push(context);
          return { resultId: 'R-4' };
        },
      );
    const intent = newIntent({ operation: 'send-mail', key: 'K-tool', traceId: 'trace-9' });
    expect(await tool(writeIntent(intent))).toMatchObject({ kind: 'COMPLETED' });
    expect(seen[0]).toMatchObject({ key: 'K-tool', attemptId: intent.attemptId });
  });
});
