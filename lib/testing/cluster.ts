// The server that database tests run on: one of our own per checkout, or the one of TEST_DATABASE_ADMIN_URL.
import { createHash, createHmac } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { keptSecret } from '../commands/data-dir.mjs';
import { holdCluster } from '../commands/embedded-database.mjs';
import { MAJOR } from '../commands/postgres-binaries.mjs';
import { ROOT } from '../commands/toolchain.mjs';

const ROLE_NAMES = ['onceover_owner', 'onceover_app', 'onceover_worker', 'onceover_signer'] as const;

export interface TestServer {
  /** Superuser, database `postgres`. */
  adminUrl: string;
  /** By role. */
  passwords: Record<(typeof ROLE_NAMES)[number], string>;
  /** Part of every database name, so that two checkouts on one server leave each other alone. */
  key: string;
  release: () => Promise<void>;
}

/** Tests lose nothing by a crash of the machine; the rest is as in the product. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '400' };

function ownFolder(key: string): string {
  const folder = path.join(tmpdir(), `onceover-test-${key}`);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  if (statSync(folder).uid !== process.getuid?.())
    throw new Error(`${folder} belongs to somebody else: remove it`);
  return folder;
}

/**
 * Starts or joins the server. Several test runs of one checkout share it; the last one stops it.
 * @param major which PostgreSQL; each has a server of its own
 */
export async function holdTestServer(major: number = MAJOR): Promise<TestServer> {
  const key = createHash('sha256')
    .update(`${ROOT} ${process.getuid?.()} ${major === MAJOR ? '' : major}`)
    .digest('hex')
    .slice(0, 10);
  const given = major === MAJOR ? process.env.TEST_DATABASE_ADMIN_URL : undefined;
  if (given) return { adminUrl: given, passwords: passwordsFrom(given), key, release: async () => undefined };
  const folder = ownFolder(key);
  const password = keptSecret(folder, 'password');
  const held = await holdCluster({
    folder: path.join(folder, 'postgres'),
    password,
    settings: SETTINGS,
    disposable: true,
    major,
  });
  return {
    adminUrl: `postgresql://postgres:${password}@127.0.0.1:${held.port}/postgres`,
    passwords: passwordsFrom(password),
    key,
    release: held.release,
  };
}

// Roles belong to the whole server: derived, so that every run against it sets the same.
function passwordsFrom(secret: string): TestServer['passwords'] {
  const derive = (role: string) => createHmac('sha256', secret).update(role).digest('base64url');
  return Object.fromEntries(ROLE_NAMES.map((role) => [role, derive(role)])) as TestServer['passwords'];
}
