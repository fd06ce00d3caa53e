import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { httpConnectorSchema } from '@/lib/domain/connector-http';
import { buildHttpQuestion, type QuestionSubject } from '@/lib/domain/connector-question';
import { askHttp, type NextTurn } from './ask-http';

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** A system with pages of two; a test may answer itself. */
async function system(
  items: object[],
  answer?: (request: IncomingMessage, response: ServerResponse) => boolean,
) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization}`);
    if (answer?.(request, response)) return;
    const url = new URL(request.url ?? '', 'http://x');
    const from = Number(url.searchParams.get('from') ?? 0);
    const more = from + 2 < items.length;
    const next = more ? `/api/things?ref=K-1&from=${from + 2}` : null;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ items: items.slice(from, from + 2), next, total: items.length }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`, asked };
}

const subject: QuestionSubject = {
  system: 'things',
  account: null,
  key: 'K-1',
  requestId: null,
  externalRequestKey: null,
  externalJobId: null,
  businessRef: null,
  contentVersion: null,
  resultId: null,
  display: {},
};
const at = (base: string, change: object = {}, turn: NextTurn = () => Promise.resolve(0)) => {
  const connector = httpConnectorSchema.parse({
    kind: 'http',
    system: 'things',
    baseUrl: base,
    path: 'things',
    query: { ref: '{key}' },
    items: '/items',
    paging: { by: 'next', at: '/next', pages: 4 },
    totalAt: '/total',
    fields: { id: '/id' },
    content: [{ expected: '{key}', pointer: '/ref', role: 'identifies' }],
    notFound: { status404: false, emptyList: true },
    visibilityDelaySeconds: 0,
    queryableSeconds: null,
    ...change,
  });
  const built = buildHttpQuestion(connector, subject);
  if (!built.ok) throw new Error(built.fault);
  const headers = { authorization: 'Bearer s' };
  return askHttp({
    connector,
    headers,
    question: built.question,
    proof: 'PRESENCE',
    subject,
    allowLoopback: true,
    resolve: undefined,
    turn,
  });
};
const things = (...refs: string[]) => refs.map((ref, index) => ({ id: `T-${index}`, ref }));

describe('askHttp', () => {
  it('R-058q finds what stands on the last page, and nothing only at the end of the list', async () => {
    const { base, asked } = await system(things('A', 'B', 'C', 'D', 'K-1'));
    expect((await at(base)).finding).toMatchObject({ outcome: 'FOUND', resultId: 'T-4' });
    expect(asked).toEqual([
      '/api/things?ref=K-1 Bearer s',
      '/api/things?ref=K-1&from=2 Bearer s',
      '/api/things?ref=K-1&from=4 Bearer s',
    ]);
    const none = await system(things('A', 'B', 'C'));
    expect((await at(none.base)).finding).toMatchObject({ outcome: 'NOT_FOUND' });
    const long = await system(things(...'ABCDEFGHI'));
    expect((await at(long.base)).finding).toMatchObject({
      outcome: 'INCONCLUSIVE',
      errorClass: 'MORE_PAGES',
    });
    expect(long.asked).toHaveLength(4);
  });

  it('R-058q each page takes its turn at the rate, and a turn too far away ends the reading', async () => {
    const { base, asked } = await system(things('A', 'B', 'C', 'D', 'E'));
    let turns = 0;
    const slow = await at(base, {}, () => Promise.resolve((turns += 1) === 1 ? 1 : null));
    expect(slow.finding).toMatchObject({ outcome: 'INCONCLUSIVE', errorClass: 'MORE_PAGES' });
    expect(turns).toBe(2);
    expect(asked).toHaveLength(2);
  });

  it.each([429, 500, 503])(
    'R-058q a %i on a later page is out of reach, and its Retry-After counts',
    async (status) => {
      const { base } = await system(things('A', 'B', 'C'), ({ url }, response) => {
        if (!url?.includes('from=2')) return false;
        response.writeHead(status, { 'retry-after': '7' }).end();
        return true;
      });
      const asked = await at(base);
      expect(asked.finding.outcome).toBe('INACCESSIBLE');
      expect(asked.retryAfterSeconds).toBe(7);
    },
  );

  it('R-058q size and time are for all pages together', async () => {
    const filler = 'x'.repeat(600);
    const { base, asked } = await system(things('A', 'B', 'C', 'D').map((thing) => ({ ...thing, filler })));
    expect((await at(base, { maxBytes: 2_000 })).finding).toMatchObject({ errorClass: 'TOO_LARGE' });
    expect(asked).toHaveLength(2);
    const hanging = await system(things('A', 'B', 'C'), ({ url }) => url?.includes('from=2') ?? false);
    const late = await at(hanging.base, { timeoutMs: 300 });
    expect(late.finding).toMatchObject({ outcome: 'INACCESSIBLE', errorClass: 'UNREACHABLE' });
    expect(late.failure?.detail).toBe('time limit');
  });

  it('R-058r SS-06 the secret goes to no other address, whatever a page says', async () => {
    const trap = await system([]);
    const { base } = await system([], (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ items: [], next: `${trap.base}/things?ref=K-1`, total: 1 }));
      return true;
    });
    expect((await at(base)).finding).toMatchObject({ outcome: 'INCONCLUSIVE', errorClass: 'MORE_PAGES' });
    expect(trap.asked).toEqual([]);
  });

  it('R-058t a 403 whose headers name a used-up count is told apart, with the time until it begins anew', async () => {
    const reset = Math.floor(Date.now() / 1_000) + 30;
    const { base } = await system([], (_request, response) => {
      response.writeHead(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) }).end();
      return true;
    });
    const asked = await at(base);
    expect(asked.finding).toMatchObject({ outcome: 'INACCESSIBLE', errorClass: 'RATE_LIMITED' });
    expect(asked.retryAfterSeconds).toBeGreaterThan(0);
    expect(asked.retryAfterSeconds).toBeLessThanOrEqual(31);
  });
});
