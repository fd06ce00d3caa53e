import ipaddr from 'ipaddr.js';

type Range = ReturnType<typeof ipaddr.parseCIDR>;

/** Characters; longer chains are a forger's and are not walked. */
const MAX_CHAIN = 1_024;

/**
 * Where a request comes from, as far as it can be trusted: the peer of our socket, or, when that peer is one of our own
 * proxies, the nearest address in `X-Forwarded-For` that is not. Null when the peer is unknown.
 * @param peer the socket's own address, never a header of the client's
 * @param trustedProxies addresses or CIDR ranges of `TRUSTED_PROXIES`, separated by commas or blanks
 */
export function sourceAddress(
  peer: string | null,
  forwardedFor: string | null,
  trustedProxies: string | undefined,
): string | null {
  const ranges = parseRanges(trustedProxies ?? '');
  let nearest = normalise(peer ?? '');
  if (nearest === null || forwardedFor === null || forwardedFor.length > MAX_CHAIN) return nearest;
  const chain = forwardedFor.split(',');
  while (isTrusted(nearest, ranges) && chain.length > 0) {
    const next = normalise((chain.pop() ?? '').trim());
    // What our proxy did not write as an address is not its word: keep the last address that is.
    if (next === null) return nearest;
    nearest = next;
  }
  return nearest;
}

function parseRanges(text: string): Range[] {
  return text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => {
      if (part.includes('/')) return ipaddr.parseCIDR(part);
      const address = ipaddr.process(part);
      return [address, address.kind() === 'ipv4' ? 32 : 128] as Range;
    });
}

/** IPv4 in IPv6 clothing becomes IPv4, so that one machine has one name. */
function normalise(text: string): string | null {
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : null;
}

function isTrusted(address: string, ranges: readonly Range[]): boolean {
  const parsed = ipaddr.parse(address);
  return ranges.some((range) => parsed.kind() === range[0].kind() && parsed.match(range));
}
