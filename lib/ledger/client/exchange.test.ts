import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLedgerClient, type CallOptions, type ClaimAnswer } from '@/lib/ledger/client';
import { collectGarbage } from '@/lib/testing/garbage';
import { claimed, request, scripted } from '@/lib/testing/scripted-ledger';

/** Answers the head at once, then one byte after the other without an end, or as fast as it is read. */
let server: http.Server;
let flood = false;
let cut = 0;
beforeAll(async () => {
  const chunk = Buffer.alloc(1 << 20, 'a');
  server = http.createServer((asked, answer) => {
    asked.resume();
    answer.writeHead(200, { 'Content-Type': 'application/json' });
    const write = () => void (flood ? answer.write(chunk, () => write()) : answer.write(' '));
    const timer = setInterval(() => flood || write(), 10);
    if (flood) write();
    answer.on('error', () => undefined);
    answer.on('close', () => (clearInterval(timer), (cut += 1)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** While the garbage is collected again and again: nothing that only the garbage collector holds may be needed. */
async function claimAmidGarbage(call: CallOptions): Promise<ClaimAnswer> {
  const { port } = server.address() as AddressInfo;
  const client = createLedgerClient({ baseUrl: `http://127.0.0.1:${port}`, token: 't' });
  const timer = setInterval(collectGarbage, 20);
  try {
    return await client.claim(request, call);
  } finally {
    clearInterval(timer);
  }
}

describe('R-034b an answer that does not end', () => {
  it('R-034b the bound of one send holds while its body is read, and the connection is cut', async () => {
    flood = false;
    const before = cut;
    const retry = { requestTimeoutMs: 1_500, maxAttempts: 1 };
    expect(await claimAmidGarbage({ retry })).toMatchObject({ kind: 'UNAVAILABLE', reason: 'TIMED_OUT' });
    await expect.poll(() => cut).toBe(before + 1);
  });

  it('R-034b the deadline of the call holds too', async () => {
    flood = false;
    const retry = { requestTimeoutMs: 60_000, deadlineMs: 300, maxAttempts: 9 };
    expect(await claimAmidGarbage({ retry })).toMatchObject({ kind: 'UNAVAILABLE', reason: 'TIMED_OUT' });
  });

  it('R-034b so does the word of the caller to stop', async () => {
    flood = false;
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 200);
    expect(await claimAmidGarbage({ signal: stop.signal })).toMatchObject({ reason: 'ABORTED', sends: 1 });
  });

  it('R-034b one longer than any answer of the ledger is not taken into memory, and not asked for again', async () => {
    flood = true;
    const before = cut;
    const retry = { requestTimeoutMs: 60_000, deadlineMs: 60_000 };
    expect(await claimAmidGarbage({ retry })).toMatchObject({ reason: 'ANSWER_TOO_LONG', sends: 1 });
    await expect.poll(() => cut).toBe(before + 1);
  }, 90_000);

  it('R-034b a fetch that knows no signal is not waited for', async () => {
    const { claim } = scripted([() => new Promise(() => undefined)], { maxAttempts: 2 });
    expect(await claim()).toMatchObject({ reason: 'TIMED_OUT', sends: 2 });
  });

  it('R-034b a caller who has stopped before sends nothing', async () => {
    const { claim, sent } = scripted([claimed]);
    expect(await claim({ signal: AbortSignal.abort() })).toMatchObject({ reason: 'ABORTED' });
    expect(sent).toEqual([]);
  });
});
