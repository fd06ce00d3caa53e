// Approval policies as administrators' forms send them, and as an installation writes them.
import { randomUUID } from 'node:crypto';
import type { PolicyContent, PolicyStep } from '@/lib/domain/approval-policy';
import type { TestDatabase } from './database';
import { OPERATION, asActor, type Json } from './ledger-fixture';
import { REASON } from './people-forms';

/** One approver; another kind of step where a test says so. */
export const step = (change: Partial<PolicyStep> = {}): PolicyStep => ({
  kinds: ['REISSUE'],
  count: 1,
  role: 'APPROVER',
  authority: null,
  fromAmount: null,
  fromEffect: null,
  ...change,
});

const CONFIRMATIONS = step({ kinds: ['CONFIRM_NOT_APPLIED', 'SETTLE_EFFECT'], role: null });

/** What the built-in default says, changed for one test; `steps` are those for new keys. */
export const policyContent = (change: Partial<PolicyContent> = {}): PolicyContent => ({
  removes: false,
  minRationale: 10,
  approvalTtlSeconds: 86_400,
  executionTtlSeconds: 3_600,
  ...change,
  steps: change.removes ? [] : [...(change.steps ?? [step()]), CONFIRMATIONS],
});

/** The operation's own newest version; 0 = none. */
export async function policyVersion(db: TestDatabase, operation = OPERATION): Promise<number> {
  const { rows } = await db
    .pool('owner')
    .query<{ version: number }>(`select version from review.policy_in_force('tenant-north', $1)`, [
      operation,
    ]);
  return rows[0]!.version;
}

/** A form on the policy as it is now. */
export async function policyForm(db: TestDatabase, change: Json = {}, operation = OPERATION) {
  return {
    tenantId: 'tenant-north',
    operation,
    version: await policyVersion(db, operation),
    ...policyContent(),
    reason: REASON,
    operationId: randomUUID(),
    ...change,
  };
}

export async function waitingProposal(db: TestDatabase, operation = OPERATION): Promise<string> {
  const { rows } = await db
    .pool('owner')
    .query<{ proposal_id: string }>(
      `select proposal_id from review.policy_proposals where operation = $1 and state = 'PENDING'`,
      [operation],
    );
  return rows[0]?.proposal_id ?? '';
}

/** The second word on what waits, of either kind of policy. */
export async function policyVerdict(db: TestDatabase, operation: string, change: Json = {}) {
  return {
    proposalId: await waitingProposal(db, operation),
    verdict: 'CONFIRM',
    reason: REASON,
    operationId: randomUUID(),
    ...change,
  };
}

/** A new version in force, as an installation writes it. */
export async function installPolicy(
  db: TestDatabase,
  change: Partial<PolicyContent>,
  operation = OPERATION,
): Promise<void> {
  const content = policyContent(change);
  const version = (await policyVersion(db, operation)) + 1;
  await asActor(db.pool('owner'), { kind: 'system', id: 'system:test' }, (client) =>
    client.query(
      `insert into review.approval_policies (tenant_id, operation, version, removes, steps, min_rationale, approval_ttl_seconds, execution_ttl_seconds)
       values ('tenant-north', $1, $2, $3, $4, $5, $6, $7)`,
      [
        operation,
        version,
        content.removes,
        JSON.stringify(content.steps),
        content.minRationale,
        content.approvalTtlSeconds,
        content.executionTtlSeconds,
      ],
    ),
  );
}
