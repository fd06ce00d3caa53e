import ipaddr from 'ipaddr.js';

/** What an address of the network is to us. Only PUBLIC may be called; LOOPBACK by the deployment's own entry. */
export type AddressReach = 'PUBLIC' | 'LOOPBACK' | 'REFUSED';

/**
 * Judges one literal IP address, as resolved or as written in an address (SS-01).
 * An allowlist: ranges that nobody has thought of are refused. Mapped, translated and tunnelled IPv6 forms are
 * refused whole, because the IPv4 address inside them is another one than the address that we checked.
 */
export function addressReach(literal: string): AddressReach {
  const bare = literal.startsWith('[') && literal.endsWith(']') ? literal.slice(1, -1) : literal;
  if (!ipaddr.isValid(bare)) return 'REFUSED';
  const address = ipaddr.parse(bare);
  const range = address.range();
  if (range === 'loopback') return 'LOOPBACK';
  if (range !== 'unicast') return 'REFUSED';
  if (address instanceof ipaddr.IPv6) return address.match(GLOBAL_UNICAST) ? 'PUBLIC' : 'REFUSED';
  return 'PUBLIC';
}

/** The only IPv6 space from which public addresses are given out. RFC 4291, section 2.4; IANA registry. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** True when a URL's host is an IP literal, in the normalised form in which `URL` gives it. */
export function isAddressLiteral(hostname: string): boolean {
  return hostname.startsWith('[') || ipaddr.IPv4.isValidFourPartDecimal(hostname);
}

/** Names that mean this machine or this network wherever they are resolved. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|localdomain|home\.arpa)\.?$/;

/** Why an outside address may not be saved or called. */
export type AddressFault =
  'NOT_A_URL' | 'SCHEME' | 'CREDENTIALS' | 'FRAGMENT_OR_QUERY' | 'ADDRESS' | 'LOCAL_NAME';

/**
 * Judges an address by its text alone, at save and again before each call; resolved addresses are judged on top when
 * connecting. `allowLoopback` is the deployment's own entry for a service on this machine, then plain http is fine.
 */
export function outsideUrlFault(text: string, options: { allowLoopback: boolean }): AddressFault | null {
  if (!URL.canParse(text)) return 'NOT_A_URL';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'CREDENTIALS';
  if (text.includes('#')) return 'FRAGMENT_OR_QUERY';
  const loopback = reachesLoopback(url.hostname);
  if (loopback && !options.allowLoopback) return isAddressLiteral(url.hostname) ? 'ADDRESS' : 'LOCAL_NAME';
  if (url.protocol !== 'https:' && !(loopback && url.protocol === 'http:')) return 'SCHEME';
  if (loopback) return null;
  if (isAddressLiteral(url.hostname)) return addressReach(url.hostname) === 'PUBLIC' ? null : 'ADDRESS';
  return LOCAL_NAME.test(url.hostname) || !url.hostname.includes('.') ? 'LOCAL_NAME' : null;
}

function reachesLoopback(hostname: string): boolean {
  return isAddressLiteral(hostname) ? addressReach(hostname) === 'LOOPBACK' : /^localhost\.?$/.test(hostname);
}
