// `npm run admin:create -- --email E [--name N] [--tenant T …]`: the first administrator of a production installation.
import { parseArgs } from 'node:util';
import { canonicalOrigin } from '@/lib/access/configuration';
import { createPerson } from '@/lib/access/create-person';
import { LINK_SECONDS, signInLinkAddress } from '@/lib/access/sign-in-link';
import type { Pool } from '@/lib/db/pool';
import { transaction } from '@/lib/db/transaction';
import { ensureTenant } from './issue-token';
import { installerContext, withOwnerPool } from './owner-pool';

const USAGE = 'usage: npm run admin:create -- --email EMAIL [--name NAME] [--tenant TENANT …]';

async function allTenants(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ tenant_id: string }>(
    'select tenant_id from review.tenants order by tenant_id',
  );
  return rows.map((row) => row.tenant_id);
}

async function create(email: string, displayName: string, tenants: readonly string[]): Promise<string> {
  const origin = canonicalOrigin();
  const context = installerContext('admin-create');
  return withOwnerPool(async (pool) => {
    await transaction(pool, context, async (tx) => {
      for (const tenantId of tenants) await ensureTenant(tx, tenantId, tenantId, false);
    });
    const answer = await createPerson(pool, context, {
      email,
      displayName,
      password: null,
      roles: ['ADMIN'],
      authorities: [],
      tenantIds: await allTenants(pool),
      locale: null,
    });
    if (answer.kind === 'refused') throw new Error(`Refused: ${answer.code}`);
    if (answer.linkToken === null) throw new Error('bug: a person without a password got no link');
    return signInLinkAddress(origin, answer.linkToken);
  });
}

try {
  const { values } = parseArgs({
    options: {
      email: { type: 'string' },
      name: { type: 'string' },
      tenant: { type: 'string', multiple: true, default: [] },
    },
  });
  if (!values.email) throw new Error(USAGE);
  console.log(await create(values.email, values.name ?? values.email, values.tenant));
  console.error(`The link signs in once, within ${LINK_SECONDS / 3600} hours.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
