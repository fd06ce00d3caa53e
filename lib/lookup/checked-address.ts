import { lookup as resolveName } from 'node:dns/promises';
import { addressReach, isAddressLiteral } from '@/lib/domain/outside-address';

/** One address that a name stands for; `family` is 4 or 6. */
interface ResolvedAddress {
  address: string;
  family: number;
}
export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>;

/** What the caller may tell people. UNREACHABLE is one word for every failure on the way (SS-09). */
export type GuardedFailure = 'UNREACHABLE' | 'REDIRECT' | 'TOO_LARGE' | 'UNREADABLE';

export class LimitError extends Error {
  constructor(
    readonly failure: GuardedFailure,
    message: string,
  ) {
    super(message);
  }
}

/** The one address to connect to. Refuses a name when any of its addresses is refused (SS-02). */
export async function checkedAddress(hostname: string, resolve: Resolve): Promise<ResolvedAddress> {
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isAddressLiteral(hostname)) return { address: literal, family: literal.includes(':') ? 6 : 4 };
  const addresses = await resolve(hostname);
  const wanted = /^localhost\.?$/.test(hostname) ? 'LOOPBACK' : 'PUBLIC';
  const first = addresses[0];
  if (first === undefined || addresses.some(({ address }) => addressReach(address) !== wanted)) {
    throw new LimitError('UNREACHABLE', 'resolved address refused');
  }
  return first;
}

export async function resolveAll(hostname: string): Promise<ResolvedAddress[]> {
  return resolveName(hostname, { all: true });
}

/** The system's resolver cannot be stopped, but need not be waited for. */
export async function within<T>(limit: AbortSignal, work: Promise<T>): Promise<T> {
  let stop: (() => void) | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new Error('time limit'));
    limit.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    if (stop !== undefined) limit.removeEventListener('abort', stop);
  }
}

/** A code or a class name, never a message: messages may repeat what was sent. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string') return code;
  return error instanceof Error ? error.name : 'error';
}
