// Forms of the people pages as they are sent, from what the database holds at that moment.
import { randomUUID } from 'node:crypto';
import type { TestDatabase } from './database';

export const REASON = 'Moves to the evening shift.';

interface Row {
  roles: string[];
  authorities: string[];
  tenant_ids: string[];
  version: number;
  disabled: boolean;
}

export async function rightsRow(db: TestDatabase, personId: string): Promise<Row> {
  const { rows } = await db
    .pool('owner')
    .query<Row>(
      `select roles, authorities, tenant_ids, version, disabled_at is not null as disabled from review.people where person_id = $1`,
      [personId],
    );
  return rows[0]!;
}

export async function personForm(db: TestDatabase, personId: string) {
  return {
    personId,
    version: String((await rightsRow(db, personId)).version),
    reason: REASON,
    operationId: randomUUID(),
  };
}

export const invitationForm = (change: object = {}) => ({
  email: `new-${randomUUID()}@demo.local`,
  displayName: 'New colleague',
  roles: ['OPERATOR'],
  authorities: [],
  tenantIds: ['tenant-north'],
  reason: REASON,
  operationId: randomUUID(),
  ...change,
});

export async function rightsForm(
  db: TestDatabase,
  personId: string,
  change: Partial<Record<'roles' | 'authorities' | 'tenantIds', string[]>>,
) {
  const { roles, authorities, tenant_ids } = await rightsRow(db, personId);
  return { ...(await personForm(db, personId)), roles, authorities, tenantIds: tenant_ids, ...change };
}

export async function pendingGrant(db: TestDatabase, personId: string): Promise<string> {
  const { rows } = await db
    .pool('owner')
    .query<{ grant_id: string }>(
      `select grant_id from review.right_grants where person_id = $1 and state = 'PENDING'`,
      [personId],
    );
  return rows[0]!.grant_id;
}

export async function grantForm(db: TestDatabase, personId: string, verdict: 'CONFIRM' | 'REJECT') {
  return { ...(await personForm(db, personId)), grantId: await pendingGrant(db, personId), verdict };
}
