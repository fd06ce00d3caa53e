// `npm run admin:create -- --email E [--name N] [--tenant T …] [--create-tenant]`: the first administrator of a production installation.
import { parseArgs } from 'node:util';
import { canonicalOrigin } from '@/lib/access/configuration';
import { createPerson } from '@/lib/access/create-person';
import { LINK_SECONDS, signInLinkAddress } from '@/lib/access/sign-in-link';
import type { Pool } from '@/lib/db/pool';
import { transaction } from '@/lib/db/transaction';
import { admitTenants } from './admit-tenants';
import { readCommandLine } from './command-line.mjs';
import { installerContext, tellFailure, withOwnerPool } from './owner-pool';

const USAGE = `usage: npm run admin:create -- --email EMAIL [--name NAME] [--tenant TENANT …] [--create-tenant]
  Makes an administrator of every tenant and prints a one-time sign-in link.
  --create-tenant  makes the named tenants that do not exist; the first ones of an installation need no such word`;

async function allTenants(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ tenant_id: string }>(
    'select tenant_id from review.tenants order by tenant_id',
  );
  return rows.map((row) => row.tenant_id);
}

interface Asked {
  email: string;
  displayName: string;
  tenants: readonly string[];
  createTenant: boolean;
}

function readAsked(): Asked {
  const { values } = parseArgs({
    options: {
      email: { type: 'string' },
      name: { type: 'string' },
      tenant: { type: 'string', multiple: true, default: [] },
      'create-tenant': { type: 'boolean', default: false },
    },
  });
  const { email, name, tenant, 'create-tenant': createTenant } = values;
  if (!email) throw new Error('An administrator needs an e-mail address.');
  return { email, displayName: name ?? email, tenants: tenant, createTenant };
}

async function create({ email, displayName, tenants, createTenant }: Asked): Promise<string> {
  const context = installerContext('admin-create');
  return withOwnerPool(async (pool) => {
    const origin = canonicalOrigin();
    await transaction(pool, context, async (tx) => {
      const answer = await admitTenants(tx, tenants, createTenant);
      if (answer.kind === 'refused') throw new Error(answer.detail);
      for (const made of answer.made) console.error(`The tenant ${made} is new: it was made.`);
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

const asked = readCommandLine(USAGE, readAsked);
try {
  console.log(await create(asked));
  console.error(`The link signs in once, within ${LINK_SECONDS / 3600} hours.`);
} catch (error) {
  tellFailure(error);
}
