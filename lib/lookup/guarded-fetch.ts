import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, request } from 'undici';
import { outsideUrlFault } from '@/lib/domain/outside-address';
import {
  checkedAddress,
  codeOf,
  LimitError,
  resolveAll,
  within,
  type GuardedFailure,
  type Resolve,
} from './checked-address';

export interface GuardedRequest {
  url: string;
  /** With the secrets filled in; they go to this address and nowhere else. */
  headers: Record<string, string>;
  /** For everything together: name, connection, answer. */
  timeoutMs: number;
  /** Of the body, after decompression. */
  maxBytes: number;
  /** The deployment's own entry for a service on this machine. */
  allowLoopback: boolean;
  /** JSON text to deliver: the request is a POST then, and a GET without. */
  json?: string;
}

interface GuardedAnswer {
  status: number;
  mediaType: string | null;
  retryAfter: string | null;
  link: string | null;
  /** A 403 that means "too many questions", as its headers say. */
  isThrottled: boolean;
  /** Empty unless the status is 200; null when it was not UTF-8. */
  text: string | null;
}

export type GuardedResult =
  | { ok: true; answer: GuardedAnswer }
  /** `detail` is for restricted logs: it tells open ports from closed ones. */
  | { ok: false; failure: GuardedFailure; detail: string };

/** Bytes; a header block that is larger breaks the connection off. */
const MAX_HEADER_BYTES = 16_384;

/**
 * A request to an outside system under the guard of the connectors (security, "Outside calls"): literal and resolved
 * addresses are checked, the connection goes to the checked address, redirects and environment proxies are not
 * followed, and time and size are bounded. Never throws for anything that the other side does.
 */
export async function guardedFetch(
  asked: GuardedRequest,
  resolve: Resolve = resolveAll,
): Promise<GuardedResult> {
  const fault = outsideUrlFault(asked.url, { allowLoopback: asked.allowLoopback });
  if (fault !== null) return failed('UNREACHABLE', `address refused: ${fault}`);
  const limit = AbortSignal.timeout(asked.timeoutMs);
  let agent: Agent | undefined;
  try {
    const address = await within(limit, checkedAddress(new URL(asked.url).hostname, resolve));
    // An agent of its own: no pooled connection to an address that was checked for somebody else, and no proxy.
    agent = new Agent({
      connections: 1,
      pipelining: 0,
      maxHeaderSize: MAX_HEADER_BYTES,
      connect: {
        timeout: asked.timeoutMs,
        lookup: (_hostname, options, answer) => {
          if (options.all) answer(null, [address]);
          else answer(null, address.address, address.family);
        },
      },
    });
    return await ask(asked, agent, limit);
  } catch (error) {
    if (error instanceof LimitError) return failed(error.failure, error.message);
    return failed('UNREACHABLE', limit.aborted ? 'time limit' : codeOf(error));
  } finally {
    await agent?.destroy();
  }
}

async function ask(asked: GuardedRequest, agent: Agent, limit: AbortSignal): Promise<GuardedResult> {
  const { statusCode, headers, body } = await request(asked.url, {
    method: asked.json === undefined ? 'GET' : 'POST',
    body: asked.json ?? null,
    dispatcher: agent,
    signal: limit,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': 'onceover',
      ...(asked.json === undefined ? {} : { 'content-type': 'application/json' }),
      ...asked.headers,
    },
  });
  if (statusCode >= 300 && statusCode < 400) return failed('REDIRECT', `status ${statusCode}`);
  const text =
    statusCode === 200
      ? await readText(body, single(headers['content-encoding']), asked.maxBytes, limit)
      : '';
  const mediaType = single(headers['content-type'])?.split(';', 1)[0]?.trim().toLowerCase() ?? null;
  return {
    ok: true,
    answer: {
      status: statusCode,
      mediaType,
      retryAfter: single(headers['retry-after']) ?? untilReset(headers),
      link: [headers['link'] ?? []].flat().join(', ') || null,
      isThrottled:
        statusCode === 403 &&
        (headers['retry-after'] !== undefined || single(headers['x-ratelimit-remaining']) === '0'),
      text,
    },
  };
}

/** Null for bytes that are not UTF-8. Throws LimitError past the size, or for a body that cannot be decoded. */
async function readText(
  body: Readable,
  encoding: string | null,
  maxBytes: number,
  limit: AbortSignal,
): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  const plain = decoded(body, encoding);
  try {
    for await (const chunk of plain as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new LimitError('TOO_LARGE', `more than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof LimitError || limit.aborted || plain === body) throw error;
    throw codeOf(error).startsWith('Z_') ? new LimitError('UNREADABLE', codeOf(error)) : error;
  } finally {
    plain.destroy();
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return null;
  }
}

function decoded(body: Readable, encoding: string | null): Readable {
  const name = encoding?.trim().toLowerCase() ?? 'identity';
  if (name === 'identity' || name === '') return body;
  const maker = DECODERS[name];
  if (maker === undefined) throw new LimitError('UNREADABLE', 'unknown content encoding');
  // The callback only keeps an error from being thrown a second time, outside the reader's loop.
  return pipeline(body, maker(), () => undefined) as unknown as Readable;
}

const DECODERS: Record<string, () => NodeJS.ReadWriteStream> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
};

/** GitHub and others tell the second at which their count begins anew, instead of `Retry-After`. */
function untilReset(headers: Record<string, string | string[] | undefined>): string | null {
  const reset = single(headers['x-ratelimit-reset']);
  if (single(headers['x-ratelimit-remaining']) !== '0' || reset === null || !/^\d{10}$/.test(reset))
    return null;
  return new Date(Number(reset) * 1_000).toUTCString();
}

function single(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

function failed(failure: GuardedFailure, detail: string): GuardedResult {
  return { ok: false, failure, detail };
}
