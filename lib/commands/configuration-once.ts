// ONCEOVER_CONFIG fills an empty database, once. A database that is in use belongs to the people who use it.
import { appendAudit } from '@/lib/db/append-audit';
import type { Pool } from '@/lib/db/pool';
import { transaction, type Transaction } from '@/lib/db/transaction';
import { applyConfiguration, readConfigurationFile, type Configuration } from './configuration';
import { ensureTenant } from './issue-token';
import { installerContext } from './owner-pool';

const context = installerContext('bootstrap');

const IN_USE = `
  select exists (select from ledger.operation_policies where created_by <> 'system:built-in') as policies, exists (select from review.connectors) as connectors,
         exists (select from review.approval_policies where tenant_id <> '*') as "approval policies",
         exists (select from ledger.intakes) as arrivals`;

async function whatIsThere(tx: Transaction): Promise<string[]> {
  // Two starts at once: the second waits here, and then finds what the first has made.
  await tx.query('lock table ledger.operation_policies in share row exclusive mode');
  const { rows } = await tx.query<Record<string, boolean>>(IN_USE);
  return Object.entries(rows[0] ?? {}).flatMap(([name, there]) => (there ? [name] : []));
}

async function checkReferences(
  tx: Transaction,
  { connectors, policies, approvalPolicies, outageLimits }: Configuration,
): Promise<void> {
  const { rows } = await tx.query<{ tenant_id: string }>('select tenant_id from review.tenants');
  const tenants = rows.map((row) => row.tenant_id);
  const known = connectors.map((connector) => connector.connectorId);
  for (const { tenantId } of [...connectors, ...policies, ...approvalPolicies, ...outageLimits]) {
    if (tenantId !== null && !tenants.includes(tenantId))
      throw new Error(
        `the tenant ${tenantId} is not among \`tenants\`, and the database has none of this name`,
      );
  }
  for (const { operation, connectorId } of policies) {
    if (connectorId !== undefined && !known.includes(connectorId))
      throw new Error(
        `the policy of ${operation} names the connector ${connectorId}, which is not among \`connectors\``,
      );
  }
}

/**
 * Reads the file into a database without policies, connectors and arrivals; any other is left as it is, and the file unread.
 * All of the file or nothing of it.
 * @returns what was done and why, for the person who starts
 */
export async function applyConfigurationOnce(pool: Pool, file: string): Promise<string> {
  return transaction(pool, context, async (tx) => {
    const there = await whatIsThere(tx);
    if (there.length > 0)
      return `ONCEOVER_CONFIG was not read: this database is in use (it has ${there.join(', ')}). It fills empty databases only.`;
    try {
      const configuration = readConfigurationFile(file);
      for (const { tenantId, displayName } of configuration.tenants)
        await ensureTenant(tx, tenantId, displayName, false);
      await checkReferences(tx, configuration);
      const made = await applyConfiguration(tx, configuration, { demo: false, createdBy: context.actor.id });
      if (made > 0)
        await appendAudit(tx, { event: 'bootstrap.completed', outcome: 'done', body: { rows: made } });
      const { connectors, policies, tenants } = configuration;
      return `ONCEOVER_CONFIG was read: tenants ${tenants.length}, connectors ${connectors.length}, policies ${policies.length}.`;
    } catch (error) {
      throw new Error(`ONCEOVER_CONFIG ${file}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  });
}
