import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createListener, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { Resolve } from './checked-address';
import { guardedFetch, type GuardedRequest } from './guarded-fetch';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ url: string; port: number; sockets: Set<Socket>; server: Server }> {
  const server = createServer(answer);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/x`, port, sockets, server };
}

/** A listener that only counts: whoever connects here went where nobody should go. */
async function canary(host = '127.0.0.1', port = 0): Promise<{ port: number; hits: () => number }> {
  let hits = 0;
  const listener = createListener((socket) => {
    hits += 1;
    socket.destroy();
  });
  listener.listen(port, host);
  await once(listener, 'listening');
  closing.push(async () => {
    listener.close();
    await once(listener, 'close');
  });
  return { port: (listener.address() as AddressInfo).port, hits: () => hits };
}

const get = (url: string, change: Partial<GuardedRequest> = {}, resolve?: Resolve) =>
  guardedFetch(
    { url, headers: {}, timeoutMs: 2_000, maxBytes: 100_000, allowLoopback: true, ...change },
    resolve,
  );

const json = (response: ServerResponse, body: string | Buffer, headers: Record<string, string> = {}) =>
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(body);

/** True once every connection of the server is gone; the poll is bounded by the test's own time. */
async function freed(sockets: Set<Socket>): Promise<boolean> {
  return expect
    .poll(() => sockets.size, { timeout: 2_000 })
    .toBe(0)
    .then(() => true);
}

describe('addresses', () => {
  it('SS-01 no spelling of this machine or a private network is connected to', async () => {
    const trap = await canary();
    for (const host of [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
      'localhost',
      '127.0.0.1.',
      '１２７.0.0.1',
      '[64:ff9b::7f00:1]',
      '169.254.169.254',
      '10.0.0.1',
    ]) {
      for (const scheme of ['http', 'https']) {
        const result = await get(`${scheme}://${host}:${trap.port}/`, { allowLoopback: false });
        expect(result, host).toMatchObject({ ok: false, failure: 'UNREACHABLE' });
      }
    }
    expect(trap.hits()).toBe(0);
  });

  it('SS-02 a name with any private address is refused when connecting', async () => {
    const trap = await canary();
    const answers = [
      ['127.0.0.1'],
      ['10.0.0.5'],
      ['93.184.216.34', '127.0.0.1'],
      ['::ffff:127.0.0.1'],
      ['fd00::1'],
      [],
    ].map((addresses) => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
    for (const addresses of answers) {
      for (const allowLoopback of [false, true]) {
        const result = await get(`https://api.example.com:${trap.port}/`, { allowLoopback }, () =>
          Promise.resolve(addresses),
        );
        expect(result).toMatchObject({ ok: false, detail: 'resolved address refused' });
      }
    }
    expect(trap.hits()).toBe(0);
  });

  it('SS-02 the address that was checked is the one connected to, whatever the name says next', async () => {
    const { url, port } = await serve((_request, response) => json(response, '{}'));
    const trap = await canary('127.0.0.2', port);
    let asked = 0;
    const rebinding: Resolve = () => {
      asked += 1;
      return Promise.resolve([{ address: asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]);
    };
    const result = await get(url.replace('127.0.0.1', 'localhost'), {}, rebinding);
    expect(result).toMatchObject({ ok: true });
    expect([asked, trap.hits()]).toEqual([1, 0]);
  });

  it('a name that is never resolved ends at the time limit', async () => {
    const result = await get(
      'https://api.example.com/',
      { timeoutMs: 100 },
      () => new Promise(() => undefined),
    );
    expect(result).toMatchObject({ ok: false, failure: 'UNREACHABLE', detail: 'time limit' });
  });

  it('SS-02 proxies of the environment are not used', async () => {
    const { url } = await serve((_request, response) => json(response, '{}'));
    const trap = await canary();
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = `http://127.0.0.1:${trap.port}`;
    try {
      expect(await get(url)).toMatchObject({ ok: true });
      expect(trap.hits()).toBe(0);
    } finally {
      names.forEach((name, index) => {
        if (before[index] === undefined) delete process.env[name];
        else process.env[name] = before[index];
      });
    }
  });
});

describe('answers', () => {
  it.each([301, 302, 303, 307, 308])(
    'SS-03 SS-06 a %i is not followed and takes no secret along',
    async (status) => {
      const trap = await canary();
      const { url, sockets } = await serve((_request, response) =>
        response.writeHead(status, { location: `http://127.0.0.1:${trap.port}/` }).end(),
      );
      const result = await get(url, { headers: { authorization: 'Bearer canary-secret' } });
      expect(result).toMatchObject({ ok: false, failure: 'REDIRECT' });
      expect(JSON.stringify(result)).not.toContain('canary-secret');
      expect(trap.hits()).toBe(0);
      await freed(sockets);
    },
  );

  it('SS-06 the secret arrives in its header and appears in no result, on failures as well', async () => {
    const seen: string[] = [];
    const { url, server } = await serve((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      json(response, '{"a":1}');
    });
    const headers = { authorization: 'Bearer canary-secret' };
    const fine = await get(url, { headers });
    expect(fine).toEqual({
      ok: true,
      answer: {
        status: 200,
        mediaType: 'application/json',
        retryAfter: null,
        link: null,
        isThrottled: false,
        text: '{"a":1}',
      },
    });
    expect(seen).toEqual(['GET /x Bearer canary-secret']);
    const broken = await get(url, { headers: { authorization: 'Bearer canary-secret\r\nx: y' } });
    expect(broken.ok).toBe(false);
    server.close();
    server.closeAllConnections();
    expect(JSON.stringify([fine, broken, await get(url, { headers })])).not.toContain('canary-secret');
  });

  it('SS-07 an endless body ends at the size limit and frees the connection', async () => {
    const { url, sockets } = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = Buffer.alloc(65_536, 'x');
      const pour = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', pour);
      pour();
    });
    expect(await get(url)).toMatchObject({ ok: false, failure: 'TOO_LARGE' });
    await freed(sockets);
  });

  it('SS-07 a gzip bomb ends at the size limit after decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000));
    const { url, sockets } = await serve((_request, response) =>
      json(response, bomb, { 'content-encoding': 'gzip' }),
    );
    expect(bomb.length).toBeLessThan(300_000);
    expect(await get(url)).toMatchObject({ ok: false, failure: 'TOO_LARGE' });
    await freed(sockets);
  });

  it('SS-07 one byte at a time ends at the time limit', async () => {
    const { url, sockets } = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect(await get(url, { timeoutMs: 300 })).toMatchObject({
      ok: false,
      failure: 'UNREACHABLE',
      detail: 'time limit',
    });
    await freed(sockets);
  });

  it('SS-07 no answer at all ends at the time limit', async () => {
    const { url, sockets } = await serve(() => undefined);
    expect(await get(url, { timeoutMs: 200 })).toMatchObject({
      ok: false,
      failure: 'UNREACHABLE',
      detail: 'time limit',
    });
    await freed(sockets);
  });

  it('SS-07 huge headers break the connection off', async () => {
    const { url } = await serve((_request, response) =>
      json(response, '{}', { 'x-filler': 'x'.repeat(40_000) }),
    );
    expect(await get(url)).toMatchObject({ ok: false, failure: 'UNREACHABLE' });
  });

  it('SS-07 early close, broken compression, unknown compression and broken UTF-8 are told apart from answers', async () => {
    const answers: Record<string, (response: ServerResponse) => unknown> = {
      '/close': (response) =>
        response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy()),
      '/gzip': (response) => json(response, 'not gzip', { 'content-encoding': 'gzip' }),
      '/cut': (response) =>
        json(response, gzipSync('{"a":1}').subarray(0, 12), { 'content-encoding': 'gzip' }),
      '/odd': (response) => json(response, '{}', { 'content-encoding': 'zstd' }),
      '/utf8': (response) => json(response, Buffer.from([0x22, 0xff, 0x22])),
    };
    const { url, sockets } = await serve((request, response) => answers[request.url ?? '']?.(response));
    const at = (path: string) => get(new URL(path, url).href);
    expect(await at('/close')).toMatchObject({ ok: false, failure: 'UNREACHABLE' });
    expect(await at('/gzip')).toMatchObject({ ok: false, failure: 'UNREADABLE' });
    expect(await at('/cut')).toMatchObject({ ok: false, failure: 'UNREADABLE' });
    expect(await at('/odd')).toMatchObject({ ok: false, failure: 'UNREADABLE' });
    expect(await at('/utf8')).toMatchObject({ ok: true, answer: { text: null } });
    await freed(sockets);
  });

  it('reads a compressed answer and hands on status, type and Retry-After', async () => {
    const { url, sockets } = await serve((request, response) => {
      if (request.url === '/busy') return response.writeHead(429, { 'retry-after': '7' }).end('x');
      return json(response, gzipSync('{"name":"김"}'), { 'content-encoding': 'gzip' });
    });
    expect(await get(url)).toMatchObject({ ok: true, answer: { text: '{"name":"김"}' } });
    expect(await get(new URL('/busy', url).href)).toMatchObject({
      ok: true,
      answer: { status: 429, retryAfter: '7', text: '' },
    });
    await freed(sockets);
  });

  it('SS-09 closed, refused, unresolvable and failing targets look the same', async () => {
    const { port, server } = await serve(() => undefined);
    server.close();
    const plain = await serve((_request, response) => json(response, '{}'));
    const results = [
      await get(`http://127.0.0.1:${port}/`),
      await get('https://10.0.0.1/'),
      await get('https://nowhere.example.com/', {}, () => Promise.reject(new Error('ENOTFOUND'))),
      await get(`https://127.0.0.1:${plain.port}/`),
    ];
    for (const result of results) expect(result).toMatchObject({ ok: false, failure: 'UNREACHABLE' });
  });
});
