import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OperationPolicyContent } from '@/lib/domain/operation-policy';
import type { LookingContext } from '@/lib/review/desk-context';
import type { TestDatabase } from '@/lib/testing/database';
import type { DeskFixture } from '@/lib/testing/desk-fixture';
import { asActor } from '@/lib/testing/ledger-fixture';
import {
  GUIDE,
  operationPolicyDesk,
  operationPolicyForm,
  operationPolicyInForce,
  type OperationPolicyDesk,
} from '@/lib/testing/operation-policy-forms';
import { REASON } from '@/lib/testing/people-forms';
import { policyVerdict } from '@/lib/testing/policy-forms';
import { decidePolicy } from './decide-policy';
import { proposeOperationPolicy } from './propose-operation-policy';

let db: TestDatabase;
let desk: DeskFixture;
let admin: LookingContext;
let second: LookingContext;
let world: OperationPolicyDesk;
let operation: string;
beforeAll(async () => {
  world = await operationPolicyDesk();
  ({ db, desk, admin, second } = world);
});
beforeEach(() => {
  operation = `pay-${randomUUID()}`;
});
afterAll(() => world.close());

const form = (change: Partial<OperationPolicyContent> = { slaSeconds: 60 }) =>
  operationPolicyForm(db, operation, change);
const verdict = (change = {}) => policyVerdict(db, operation, change);
const versions = () => world.versions(operation);
const states = () => world.states(operation);

describe('what is refused', () => {
  const proof = {
    protectionDocument: 'https://provider.example/keys',
    protectionKeyScope: 'one account',
    protectionValidUntil: '2099-01-01T00:00:00.000000Z',
    protectionCheckedBy: 'Kim',
    protectionCheckedAt: null,
  };
  it.each<[string, Record<string, unknown>, string]>([
    [
      'R-039 a retention that ends before the last arrival',
      { retransmissionSeconds: 7_776_001 },
      'RETENTION_TOO_SHORT',
    ],
    [
      'R-039 a retention inside the provider’s own window',
      { dedupeWindowSeconds: 7_776_001 },
      'RETENTION_TOO_SHORT',
    ],
    ['R-016d half a proof', proof, 'OPERATION_POLICY_INCOMPLETE'],
    ['R-048d a connector that is not there', { connectorId: 'nobody' }, 'CONNECTOR_UNKNOWN'],
    ['R-048d what holds already', {}, 'NOTHING_CHANGED'],
    ['R-048d a number out of its bounds', { leaseSeconds: 90_000 }, 'INVALID_INPUT'],
    ['R-048d what is no class of effects', { effectClass: 'SMALL' }, 'INVALID_INPUT'],
    ['R-048d a member too many', { surprise: 1 }, 'INVALID_INPUT'],
    [
      'R-078b a password inside a default',
      { fieldDefaults: { '/note': ['password: hunter2'] } },
      'SECRET_IN_TEXT',
    ],
    [
      'R-078b a password inside a guide',
      { guide: { ...GUIDE, en: { ...GUIDE.en, whereToLook: 'password: hunter2' } } },
      'SECRET_IN_TEXT',
    ],
    [
      'R-048d text that cannot be stored',
      { guide: { ...GUIDE, ko: { ...GUIDE.ko, purpose: 'a\0' } } },
      'INVALID_INPUT',
    ],
  ])('%s', async (_what, change, code) => {
    expect(await proposeOperationPolicy(admin, await form(change))).toMatchObject({
      outcome: 'refused',
      code,
    });
    expect(await states()).toEqual([]);
  });

  it('R-048d a foreign tenant, a missing reason and a connector of another tenant', async () => {
    const asked = await form();
    for (const [change, code] of [
      [{ tenantId: 'tenant-south' }, 'NOT_FOUND'],
      [{ reason: 'short\u200b\u200b\u200b\u200b\u200b' }, 'RATIONALE_LENGTH'],
      [{ version: 7 }, 'CHANGED_SINCE_SEEN'],
    ] as const)
      expect(await proposeOperationPolicy(admin, { ...asked, ...change })).toMatchObject({ code });
    await asActor(db.pool('owner'), { kind: 'system', id: 'system:test' }, (client) =>
      client.query(
        `insert into review.connectors (connector_id, tenant_id, recipe) select 'of-the-south', 'tenant-south', recipe from review.connectors limit 1`,
      ),
    );
    expect(await proposeOperationPolicy(admin, await form({ connectorId: 'of-the-south' }))).toMatchObject({
      code: 'CONNECTOR_UNKNOWN',
    });
    expect(await proposeOperationPolicy(admin, await form({ connectorId: 'stub-payments' }))).toMatchObject({
      outcome: 'done',
    });
  });

  it('R-048d R-074a only administrators of the tenant ask and confirm', async () => {
    for (const roles of [['OPERATOR'], ['APPROVER'], ['MANAGER']])
      expect(await proposeOperationPolicy(await desk.desk({ roles }), await form())).toMatchObject({
        code: 'ROLE_MISSING',
      });
    await proposeOperationPolicy(admin, await form());
    const stranger = await desk.desk({ roles: ['ADMIN'], tenants: ['tenant-south'] });
    expect(await decidePolicy(stranger, await verdict())).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('R-048d the database judges a content that no form has sent', async () => {
    const call = (content: object) =>
      asActor(db.pool('app'), { kind: 'person', id: admin.actor.personId }, async (client) => {
        const { rows } = await client.query<{ answer: object }>(
          'select review.propose_operation_policy($1::jsonb) as answer',
          [
            JSON.stringify({
              tenantId: 'tenant-north',
              operation,
              version: 0,
              content,
              reason: REASON,
              operationId: randomUUID(),
            }),
          ],
        );
        return rows[0]!.answer;
      });
    const { content } = await operationPolicyInForce(db, operation);
    expect(await call({})).toMatchObject({ code: 'OPERATION_POLICY_INCOMPLETE' });
    const { guide: _guide, ...less } = content;
    expect(await call(less)).toMatchObject({ code: 'OPERATION_POLICY_INCOMPLETE' });
    expect(await call({ ...content, maxAttempts: 0 })).toMatchObject({ outcome: 'done' });
    expect(await decidePolicy(second, await verdict())).toMatchObject({
      code: 'OPERATION_POLICY_INCOMPLETE',
    });
    expect(await states()).toEqual(['PENDING']);
  });
});

const WAITING = `select from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`;

describe('the records at hand', () => {
  it('R-017c R-048f a policy that they cannot keep is refused by name, and the word on it is not spent', async () => {
    for (const key of ['a', 'b']) {
      const { id, token } = await desk.ledger.started(randomUUID(), { operation, businessRef: 'ORDER-1' });
      if (key === 'a') await desk.ledger.report('complete', id, { fencingToken: token, resultId: `R-${id}` });
    }
    await proposeOperationPolicy(admin, await form({ businessRefUnique: true }));
    expect(await decidePolicy(second, await verdict())).toMatchObject({ code: 'POLICY_AGAINST_RECORDS' });
    expect(await states()).toEqual(['PENDING']);
    expect(await versions()).toEqual([]);
  });

  it('R-017c R-048f a claim that runs while the policy is confirmed is judged by the new one', async () => {
    await proposeOperationPolicy(admin, await form({ businessRefUnique: true }));
    const said = await verdict();
    const client = await db.pool('app').connect();
    await client.query('begin');
    await client.query('select ledger.claim_as($1, $2)', [
      'north',
      { operation, key: 'k1', fingerprint: `sha256:${'0'.repeat(64)}`, businessRef: 'ORDER-2' },
    ]);
    const confirming = decidePolicy(second, said);
    await expect
      .poll(async () => (await db.pool('owner').query(WAITING)).rowCount, { interval: 20 })
      .toBeGreaterThan(0);
    await client.query('commit');
    client.release();
    expect(await confirming).toMatchObject({ outcome: 'done' });
    const again = await desk.ledger.claim('k2', { operation, businessRef: 'ORDER-2' });
    expect(again).toMatchObject({ code: 'BUSINESS_REFERENCE_TAKEN' });
  });
});
