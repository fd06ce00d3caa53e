// Operation policies as administrators' forms send them.
import { randomUUID } from 'node:crypto';
import type { OperationPolicyContent } from '@/lib/domain/operation-policy';
import type { TestDatabase } from './database';
import { REASON } from './people-forms';

interface InForce {
  version: number;
  content: OperationPolicyContent;
}

/** What holds for an operation of the north; version 0 = the built-in default. */
export async function operationPolicyInForce(db: TestDatabase, operation: string): Promise<InForce> {
  const { rows } = await db
    .pool('owner')
    .query<InForce>(`select version, content from review.policy_in_force('OPERATION', 'tenant-north', $1)`, [
      operation,
    ]);
  return rows[0]!;
}

/** A form on the policy as it is now, with what is to change of it. */
export async function operationPolicyForm(
  db: TestDatabase,
  operation: string,
  change: Partial<OperationPolicyContent> = {},
) {
  const { version, content } = await operationPolicyInForce(db, operation);
  return {
    tenantId: 'tenant-north',
    operation,
    version,
    content: { ...content, ...change },
    reason: REASON,
    operationId: randomUUID(),
  };
}

const GUIDE_TEXTS = {
  purpose: 'Pays a supplier.',
  inputsAndResult: 'Order and amount; a payment id.',
  effectUnit: 'One transfer.',
  keyIssuer: 'The order desk.',
  completeWhen: 'The bank shows it as booked.',
  prohibitions: 'Never pay by hand as well.',
  whereToLook: 'The bank’s list of transfers.',
  restartPoint: 'After the approval.',
  whenToStop: 'When two transfers show.',
  whoDecides: 'The treasurer.',
};
export const GUIDE = { en: GUIDE_TEXTS, ko: GUIDE_TEXTS };
