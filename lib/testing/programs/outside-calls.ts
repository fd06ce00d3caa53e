// In a network of its own: makes the calls it is told to, and says where each of them arrived.
import { connect } from 'node:net';
import { once } from 'node:events';
import { guardedFetch, type GuardedRequest, type GuardedResult } from '@/lib/lookup/guarded-fetch';
import { listenOn } from '../namespace/listeners';
import { FORBIDDEN, ownNetwork, PUBLIC } from '../namespace/network';
import { serveNames, type Names } from '../namespace/name-server';
import { input, say, sayAndWait } from './conversation';

export interface OutsideCalls {
  names: Names;
  calls: (Pick<GuardedRequest, 'url'> & Partial<GuardedRequest>)[];
  /** What the outside system of this network answers to whoever speaks plain HTTP. */
  answer: string;
}

/** Where one call arrived: at addresses that nobody may call, and at the outside system. */
export interface Arrived {
  url: string;
  result: GuardedResult;
  forbidden: string[];
  outside: string[];
}

const { names, calls, answer } = input<OutsideCalls>();
ownNetwork();
await serveNames(names);
const canary = await listenOn([...FORBIDDEN, '127.0.0.1', '::1'], answer);
const outside = await listenOn(PUBLIC, answer);

// The canary sings when it is touched: otherwise its silence would prove nothing.
for (const address of FORBIDDEN) {
  const socket = connect(443, address);
  await once(socket, 'connect');
  socket.destroy();
}
say('ready', { canary: await heard(canary, FORBIDDEN.length) });
for (const call of calls) {
  const asked = { headers: {}, timeoutMs: 2_000, maxBytes: 10_000, allowLoopback: false, ...call };
  const result = await guardedFetch(asked);
  say('called', { url: call.url, result, forbidden: canary.hits(), outside: outside.hits() });
}
await sayAndWait('done');
process.exit();

async function heard(listener: { hits: () => string[] }, count: number): Promise<string[]> {
  const all: string[] = [];
  while (all.length < count) {
    all.push(...listener.hits());
    await new Promise((resolve) => setImmediate(resolve));
  }
  return all;
}
