// What a demo installation holds from the start: tenants, people, principals, tokens, connectors and policies. Exceptions
// are never made here: the sandbox's automations cause them.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { createPerson } from '@/lib/access/create-person';
import { fitsPassword, hashPassword } from '@/lib/access/password';
import { appendAudit } from '@/lib/db/append-audit';
import type { Pool } from '@/lib/db/pool';
import { transaction } from '@/lib/db/transaction';
import { digestOfToken } from '@/lib/ledger/producer-token';
import { demoConfiguration } from '@/lib/sandbox/demo-config';
import { ensureSettings } from '@/lib/sandbox/settings';
import { applyConfiguration, readConfiguration } from './configuration';
import { keepPrivate, writePrivate } from './data-dir.mjs';
import { DEMO_AUTOMATIONS, DEMO_PEOPLE, DEMO_SQL_PRODUCER, DEMO_TENANTS, demoEmail } from './demo-accounts';
import { ensurePrincipal, ensureTenant, issueToken } from './issue-token';
import { installerContext } from './owner-pool';

const context = installerContext('bootstrap');

/** The demo's password: given, kept from before, or made. Always in DATA_DIR/demo-password. */
function demoPassword(folder: string): string {
  const file = path.join(folder, 'demo-password');
  const given = process.env.DEMO_PASSWORD;
  if (given) writePrivate(file, `${given}\n`);
  return keepPrivate(file, () => `${randomBytes(9).toString('base64url')}\n`).trim();
}

async function makePeople(pool: Pool, password: string): Promise<void> {
  for (const { account, ...person } of DEMO_PEOPLE) {
    const email = demoEmail(account);
    const { rows } = await pool.query<{ person_id: string; password_hash: string | null }>(
      `select person_id, password_hash from review.people where email_canonical = $1`,
      [email],
    );
    const [known] = rows;
    if (known && (await fitsPassword(known.password_hash, password))) continue;
    // DEMO_PASSWORD may be any: the rules for people's own passwords would refuse short ones.
    if (!known) await makePerson(pool, email, person);
    const hash = await hashPassword(password);
    await transaction(pool, context, (tx) =>
      tx.query(`update review.people set password_hash = $2 where email_canonical = $1`, [email, hash]),
    );
  }
}

async function makePerson(
  pool: Pool,
  email: string,
  person: Omit<(typeof DEMO_PEOPLE)[number], 'account'>,
): Promise<void> {
  const password = randomBytes(32).toString('base64url');
  const answer = await createPerson(pool, context, { email, ...person, password, locale: null });
  if (answer.kind === 'refused') throw new Error(`${email} could not be made: ${answer.code}`);
}

async function makePrincipals(pool: Pool): Promise<void> {
  await transaction(pool, context, async (tx) => {
    const sql = {
      ...DEMO_SQL_PRODUCER,
      loginRole: process.env.NORTH_SQL_URL ? DEMO_SQL_PRODUCER.loginRole : null,
    };
    for (const principal of [...DEMO_AUTOMATIONS.map((each) => ({ ...each, loginRole: null })), sql]) {
      const answer = await ensurePrincipal(tx, principal);
      if (answer.kind === 'refused')
        throw new Error(`${principal.principalId} belongs to ${answer.tenantId}`);
    }
  });
}

/** Tokens whose digest the database has stay; the rest is made anew, all of them kept in DATA_DIR/demo-tokens.json. */
async function makeTokens(pool: Pool, folder: string): Promise<void> {
  const file = path.join(folder, 'demo-tokens.json');
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
  const tokens: Record<string, string> = {};
  for (const { principalId, tenantId } of DEMO_AUTOMATIONS) {
    const old = kept[principalId];
    const { rowCount } = await pool.query(
      `select from ledger.producer_tokens where principal_id = $1 and digest = $2 and revoked_at is null`,
      [principalId, digestOfToken(old ?? '')],
    );
    tokens[principalId] =
      old !== undefined && rowCount === 1
        ? old
        : await transaction(pool, context, (tx) => issueToken(tx, principalId, tenantId));
  }
  if (JSON.stringify(tokens) !== JSON.stringify(kept))
    writePrivate(file, `${JSON.stringify(tokens, null, 2)}\n`);
}

/** The demo's SQL program: a login of its own, with nothing but what its group may. */
async function makeSqlProducer(pool: Pool, url: string | undefined): Promise<void> {
  if (!url) return;
  const password = decodeURIComponent(new URL(url).password);
  const client = await pool.connect();
  try {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [
      DEMO_SQL_PRODUCER.loginRole,
    ]);
    const role = client.escapeIdentifier(DEMO_SQL_PRODUCER.loginRole);
    if (rowCount === 0) await client.query(`create role ${role} in role onceover_producer`);
    await client.query(`alter role ${role} login password ${client.escapeLiteral(password)}`);
  } finally {
    client.release();
  }
}

/**
 * Makes what is missing; safe at every start.
 * @param folder DATA_DIR
 */
export async function makeDemo(pool: Pool, folder: string): Promise<void> {
  await transaction(pool, context, async (tx) => {
    for (const { tenantId, displayName } of DEMO_TENANTS) await ensureTenant(tx, tenantId, displayName, true);
  });
  await makePeople(pool, demoPassword(folder));
  await makeSqlProducer(pool, process.env.NORTH_SQL_URL);
  await makePrincipals(pool);
  await makeTokens(pool, folder);
  const settings = await ensureSettings(folder, process.env);
  const configuration = readConfiguration(demoConfiguration(settings), 'lib/sandbox/demo-config.ts');
  await transaction(pool, context, async (tx) => {
    const made = await applyConfiguration(tx, configuration, { demo: true, createdBy: context.actor.id });
    if (made > 0)
      await appendAudit(tx, { event: 'bootstrap.completed', outcome: 'done', body: { rows: made } });
  });
}
