// `npm run token -- create --tenant T --principal P`: makes a producer token and prints it once.
import { parseArgs } from 'node:util';
import { transaction } from '@/lib/db/transaction';
import { ensurePrincipal, ensureTenant, issueToken } from './issue-token';
import { installerContext, withOwnerPool } from './owner-pool';

const USAGE = 'usage: npm run token -- create --tenant TENANT --principal PRINCIPAL';

async function create(tenantId: string, principalId: string): Promise<string> {
  return withOwnerPool((pool) =>
    transaction(pool, installerContext('token'), async (tx) => {
      await ensureTenant(tx, tenantId, tenantId, false);
      const principal = { principalId, tenantId, displayName: principalId, loginRole: null };
      const answer = await ensurePrincipal(tx, principal);
      if (answer.kind === 'refused') {
        throw new Error(
          `The principal ${principalId} belongs to the tenant ${answer.tenantId}, not to ${tenantId}.`,
        );
      }
      return issueToken(tx, principalId, tenantId);
    }),
  );
}

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { tenant: { type: 'string' }, principal: { type: 'string' } },
  });
  if (positionals.join(' ') !== 'create' || !values.tenant || !values.principal) throw new Error(USAGE);
  console.log(await create(values.tenant, values.principal));
  console.error('It is shown this once: only its digest is stored.');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
