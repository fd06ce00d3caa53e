// Operation policies as administrators' forms send them, and a desk where two of them change them.
import { randomUUID } from 'node:crypto';
import type { OperationPolicyContent } from '@/lib/domain/operation-policy';
import type { LookingContext } from '@/lib/review/desk-context';
import { testDatabase, type TestDatabase } from './database';
import { deskFixture, type DeskFixture } from './desk-fixture';
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

export interface OperationPolicyDesk {
  db: TestDatabase;
  desk: DeskFixture;
  admin: LookingContext;
  second: LookingContext;
  /** Versions of an operation, in order. */
  versions: (operation: string) => Promise<{ version: number; retired: boolean; created_by: string }[]>;
  /** What became of its proposals, in order. */
  states: (operation: string) => Promise<string[]>;
  close: () => Promise<void>;
}

/** Two administrators, and somebody who could approve by a policy. */
export async function operationPolicyDesk(): Promise<OperationPolicyDesk> {
  const db = await testDatabase();
  const desk = await deskFixture(db);
  const admin = await desk.desk({ roles: ['ADMIN'], authorities: [] });
  const second = await desk.desk({ roles: ['ADMIN'], authorities: [] });
  await desk.desk({ roles: ['APPROVER'] });
  await desk.desk();
  return {
    ...{ db, desk, admin, second },
    versions: async (operation) => {
      const { rows } = await db
        .pool('owner')
        .query<{ version: number; retired: boolean; created_by: string }>(
          `select version, retired_at is not null as retired, created_by from ledger.operation_policies where operation = $1 order by version`,
          [operation],
        );
      return rows;
    },
    states: async (operation) => {
      const { rows } = await db
        .pool('owner')
        .query<{ state: string }>(
          'select state from review.policy_proposals where operation = $1 order by requested_at',
          [operation],
        );
      return rows.map(({ state }) => state);
    },
    close: async () => {
      await desk.close();
      await db.drop();
    },
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
