// A network of our own whose loopback owns the addresses that must never be called. Linux only; needs iproute2.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Metadata services, private networks, shared address space, link-local and unique local addresses. */
export const FORBIDDEN = [
  '169.254.169.254',
  '100.100.100.200',
  '100.64.0.1',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '192.0.0.192',
  '198.18.0.1',
  'fd00:ec2::254',
  'fc00::1',
  'fec0::1',
] as const;
/** The outside system of this network: addresses that are public by number and lead nowhere else. */
export const PUBLIC = ['93.184.216.34', '2606:2800:220:1::1'] as const;

/** How a program enters a network of its own; who is not root becomes it inside alone. */
export const UNSHARE =
  process.getuid?.() === 0
    ? ['unshare', '--net', '--mount']
    : ['unshare', '--map-root-user', '--net', '--mount'];

/** Inside of a new network and mount namespace: addresses on its loopback, and names from `127.0.0.1`. */
export function ownNetwork(): void {
  execFileSync('ip', ['link', 'set', 'lo', 'up']);
  for (const address of [...FORBIDDEN, ...PUBLIC]) {
    const width = address.includes(':') ? '128' : '32';
    execFileSync('ip', ['address', 'add', `${address}/${width}`, 'dev', 'lo']);
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'onceover-network-'));
  const resolver = path.join(folder, 'resolv.conf');
  writeFileSync(resolver, 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n');
  execFileSync('mount', ['--bind', resolver, '/etc/resolv.conf']);
  // The mount keeps the file; its name is not needed any more.
  rmSync(folder, { recursive: true });
}
