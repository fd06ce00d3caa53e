// The client's way to the ledger under chaos: spreads over the servers, strikes around each call, writes each call down.
import { randomUUID } from 'node:crypto';
import { monotonic, note } from './orders';
import type { Point } from './plan';

interface Recording {
  readonly servers: readonly string[];
  readonly notebook: string;
  readonly process: string;
  /** Of the errand, at the time of the call. */
  readonly key: () => string;
  readonly pass: (point: Point) => Promise<void>;
}

const VERBS: Readonly<Record<string, string>> = {
  'effect-started': 'effect_started',
  complete: 'complete',
  fail: 'fail',
  unknown: 'unknown',
};

interface Body {
  readonly code?: string;
  readonly state?: string;
  readonly disposition?: string;
  readonly fencingToken?: string;
  readonly resultId?: string | null;
}

export function recordingFetch(recording: Recording): typeof globalThis.fetch {
  let turn = Math.floor(Math.random() * recording.servers.length);
  return async (input, init) => {
    turn += 1;
    const address = new URL(String(input));
    const server = new URL(recording.servers[turn % recording.servers.length] ?? '');
    address.host = server.host;
    const [, , , , executionId, verb] = address.pathname.split('/');
    const call =
      init?.method === 'POST' ? (executionId === undefined ? 'claim' : VERBS[verb ?? '']) : undefined;
    if (call === undefined) return fetch(address, init);
    const struck = call === 'claim' || call === 'effect_started' || call === 'complete';
    if (struck) await recording.pass(`${call}.sending`);
    const sent = JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as Body;
    const line = {
      type: 'call' as const,
      ...{ id: randomUUID(), key: recording.key(), process: recording.process, call, invokedAt: monotonic() },
      ...{ token: sent.fencingToken ?? null, resultId: sent.resultId ?? null },
      ...{ returnedAt: null, code: null, disposition: null, state: null },
    };
    note(recording.notebook, line);
    const response = await fetch(address, init);
    const text = await response.text();
    note(recording.notebook, { ...line, returnedAt: monotonic(), ...answered(response, parse(text), line) });
    if (struck) await recording.pass(`${call}.answered`);
    return new Response(text === '' ? null : text, { status: response.status, headers: response.headers });
  };
}

/** What the caller learned, in the words of a history. */
function answered(response: Response, body: Body, sent: { token: string | null; resultId: string | null }) {
  if (response.headers.get('idempotency-replayed') === 'true') {
    const succeeded = response.status < 400;
    return { code: null, disposition: 'RESULT_REUSED', state: succeeded ? 'SUCCEEDED' : 'FAILED_FINAL' };
  }
  return {
    ...{ code: body.code ?? null, disposition: body.disposition ?? null, state: body.state ?? null },
    ...{ token: sent.token ?? body.fencingToken ?? null, resultId: sent.resultId ?? body.resultId ?? null },
  };
}

function parse(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return {};
  }
}
