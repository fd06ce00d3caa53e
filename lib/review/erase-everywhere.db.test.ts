// Every act that writes texts, each with words of its own: where they stand, and that erasing takes them from everywhere.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eraseTexts, type ErasedSubject } from '@/lib/audit/erase-texts';
import { verifyChain } from '@/lib/audit/verify-chain';
import { transaction } from '@/lib/db/transaction';
import { digestOfAll } from '@/lib/testing/audit-failpoints';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskCommands, type DeskCommand } from '@/lib/testing/desk-commands';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture } from '@/lib/testing/doubt-fixture';
import { makePerson, sessionOf, testContext } from '@/lib/testing/people';
import { grantForm, personForm, rightsForm } from '@/lib/testing/people-forms';
import { connectorForm, connectorVerdict } from '@/lib/testing/connector-forms';
import { policyForm, waitingProposal } from '@/lib/testing/policy-forms';
import { breakGlass } from './break-glass/break-glass';
import { reviewBreakGlass } from './break-glass/review-break-glass';
import { deferException } from './defer-exception';
import type { LookingContext } from './desk-context';
import { executeReissue } from './execute-reissue';
import { linkResult } from './link-result';
import { openInput } from './open-input';
import { changeRights } from './people/change-rights';
import { decideGrant } from './people/decide-grant';
import { resetPerson } from './people/reset-person';
import { setDisabled } from './people/set-disabled';
import { decideConnector } from './connectors/decide-connector';
import { proposeConnector } from './connectors/propose-connector';
import { decidePolicy } from './policies/decide-policy';
import { proposePolicy } from './policies/propose-policy';

const CANARY = 'Frau Kim from the corner shop';
const WRITTEN = ['rationale', 'reason', 'place', 'seen', 'text', 'originalFate', 'businessImpact'];
let db: TestDatabase;
let desk: DeskFixture;
let commands: Record<string, DeskCommand>;
let admin: LookingContext;
let second: LookingContext;
beforeAll(async () => {
  process.env['FIELD_HASH_KEY'] = 'a key of the test';
  db = await testDatabase();
  desk = await deskFixture(db);
  commands = await deskCommands(desk, await desk.desk(), await desk.desk({ roles: ['APPROVER'] }));
  admin = await desk.desk({ roles: ['ADMIN'] });
  second = await desk.desk({ roles: ['ADMIN'] });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const marked = <T extends object>(input: T): T =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      WRITTEN.includes(name) ? `${CANARY}, ${name}` : (value as unknown),
    ]),
  ) as T;
const erase = (subject: ErasedSubject) => eraseTexts(db.pool('owner'), testContext, subject, 'DSR-17');

const rowsOf = async (sql: string, value: string) =>
  (await db.pool('owner').query<object>(sql, [value])).rows;

/** Tables in which the words stand, anywhere in a row. */
async function whereIs(words: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of Object.keys(await digestOfAll(db))) {
    const { rows } = await db
      .pool('superuser')
      .query(`select from ${name} t where t::text like $1 limit 1`, [`%${words}%`]);
    if (rows.length > 0) found.push(name);
  }
  return found.sort();
}

it('AU-18 R-089g no act puts a person’s words into the hashed chain', async () => {
  for (const [name, { prepare }] of Object.entries(commands)) {
    const { command, input, by } = await prepare();
    const answer = await command(by, marked(input));
    expect(['done', 'requested'], `${name}: ${JSON.stringify(answer)}`).toContain(answer.outcome);
  }
  expect(await whereIs(CANARY)).not.toContain('review.audit_events');
});

it('AU-18 R-089h reasons about a person, and of an emergency with its review, can be erased everywhere', async () => {
  const personId = await makePerson(db, { email: 'kim@demo.local', tenantIds: ['tenant-north'] });
  const done = async (answer: Promise<{ outcome: string }>) =>
    expect(await answer).toMatchObject({ outcome: 'done' });
  await done(
    changeRights(admin, marked(await rightsForm(db, personId, { roles: ['OPERATOR', 'APPROVER'] }))),
  );
  expect(await erase({ person: personId })).toEqual({ outcome: 'held' });
  await done(decideGrant(second, marked(await grantForm(db, personId, 'CONFIRM'))));
  await done(setDisabled(admin, { ...marked(await personForm(db, personId)), disabled: true }));
  expect(await resetPerson(admin, marked(await personForm(db, personId)))).toMatchObject({
    outcome: 'refused',
  });
  const asked = marked(await policyForm(db, { minRationale: 20 }, 'op-of-kim'));
  await done(proposePolicy(admin, asked));
  expect(await erase({ policy: { tenantId: 'tenant-north', operation: 'op-of-kim' } })).toEqual({
    outcome: 'held',
  });
  const proposalId = await waitingProposal(db, 'op-of-kim');
  const verdict = { proposalId, verdict: 'REJECT', reason: CANARY, operationId: crypto.randomUUID() };
  await done(decidePolicy(second, verdict));

  const connector = marked(await connectorForm(db, 'crm-of-kim'));
  await done(proposeConnector(admin, connector));
  expect(await erase({ connector: 'crm-of-kim' })).toEqual({ outcome: 'held' });
  const word = marked(await connectorVerdict(db, 'crm-of-kim', { verdict: 'REJECT' }));
  await done(decideConnector(second, word));

  expect(await whereIs(CANARY)).not.toContain('review.audit_events');
  expect(await whereIs(CANARY)).toEqual(
    expect.arrayContaining(['review.right_grants', 'review.policy_proposals', 'review.connector_proposals']),
  );
  await done(erase({ person: personId }));
  await done(erase({ policy: { tenantId: 'tenant-north', operation: 'op-of-kim' } }));
  await done(erase({ connector: 'crm-of-kim' }));
  const left = await whereIs(CANARY);
  expect(left).not.toContain('review.connector_proposals');
  expect(left).not.toContain('review.right_grants');
  expect(left).not.toContain('review.policy_proposals');
  expect(await verifyChain(db.pool('signer'))).not.toMatchObject({ kind: 'broken' });
});

it('AU-18 R-089h from where somebody worked goes from the ended sessions, not from one that is open', async () => {
  const personId = await makePerson(db, { email: 'park@demo.local', tenantIds: ['tenant-north'] });
  const [ended, open] = [await sessionOf(db, personId), await sessionOf(db, personId)];
  await transaction(db.pool('owner'), testContext, async (tx) => {
    await tx.query(`update review.sessions set user_agent = 'Firefox', source_address = '192.0.2.7'`);
    await tx.query('update review.sessions set revoked_at = ledger.clock() where session_id = $1', [ended]);
  });
  expect(await erase({ person: personId })).toMatchObject({ outcome: 'done' });
  const sources = 'select user_agent, source_address from review.sessions where session_id = $1';
  expect(await rowsOf(sources, ended)).toEqual([{ user_agent: null, source_address: null }]);
  expect(await rowsOf(sources, open)).toEqual([{ user_agent: 'Firefox', source_address: '192.0.2.7' }]);
});

it('AU-18 R-089i the reason of an emergency, the word on it and the place of a deferral go with their work', async () => {
  const alone = await desk.desk({ authorities: ['money', 'break-glass'] });
  const approver = await desk.desk({ roles: ['APPROVER'] });
  const asked = await doubtFixture(desk, alone).requested();
  const glass = {
    requestId: asked.requestId,
    digest: asked.digest,
    reason: CANARY,
    operationId: crypto.randomUUID(),
  };
  expect(await breakGlass(alone, glass)).toMatchObject({ outcome: 'done' });
  expect(
    await executeReissue(db.pool('worker'), desk.asking, { requestId: asked.requestId }, 'job'),
  ).toMatchObject({ done: 'EXECUTED' });
  expect(await erase({ exception: asked.exceptionId })).toEqual({ outcome: 'held' });
  const finding = { finding: 'JUSTIFIED', rationale: CANARY, operationId: crypto.randomUUID() };
  expect(await reviewBreakGlass(approver, { requestId: asked.requestId, ...finding })).toMatchObject({
    outcome: 'done',
  });
  const use = async () =>
    (await rowsOf('select * from review.break_glass_uses where request_id = $1', asked.requestId))[0];
  expect(JSON.stringify(await use())).toContain(CANARY);
  expect(await erase({ exception: asked.exceptionId })).toMatchObject({ outcome: 'done' });
  expect(JSON.stringify(await use())).not.toContain(CANARY);

  const operator = await desk.desk();
  const paid = await doubtFixture(desk, operator).paid();
  const { rationale: _why, executionVersion: _version, evidenceId, lookAgain: _l, ...act } = paid.form;
  const [{ until }] = (await rowsOf(
    `select ledger.clock() + interval '1 hour' as until where $1 <> ''`,
    'x',
  )) as [{ until: Date }];
  const later = {
    ...act,
    operationId: crypto.randomUUID(),
    until: until.toISOString(),
    place: CANARY,
    reason: CANARY,
  };
  expect(await deferException(operator, later)).toMatchObject({ outcome: 'done' });
  const { form } = await desk.seen(operator, paid.exceptionId);
  expect(await linkResult(operator, { ...paid.form, ...form, evidenceId })).toMatchObject({
    outcome: 'done',
  });
  const place = () =>
    rowsOf('select next_place from review.exceptions where exception_id = $1', paid.exceptionId);
  expect(await place()).toEqual([{ next_place: CANARY }]);
  expect(await erase({ execution: paid.id })).toMatchObject({ outcome: 'done' });
  expect(await place()).toEqual([{ next_place: '(erased upon request)' }]);
});

it('AU-18 R-089j a refused act that names no work has its words erased by its number', async () => {
  const operator = await desk.desk();
  const input = {
    executionId: crypto.randomUUID(),
    operationId: crypto.randomUUID(),
    rationale: 'Mr Ode from number nine asks.',
  };
  expect(await openInput(operator, input)).toMatchObject({ outcome: 'refused', code: 'NOT_FOUND' });
  const [event] = (await rowsOf(
    'select number::text from review.audit_events where operation_id = $1',
    input.operationId,
  )) as [{ number: string }];
  expect(await whereIs(input.rationale)).toEqual(['review.audit_texts']);
  expect(await erase({ event: event.number })).toMatchObject({
    outcome: 'done',
    texts: [`${event.number}/rationale`],
  });
  expect(await whereIs(input.rationale)).toEqual([]);
  expect(await erase({ event: '1' })).toEqual({ outcome: 'not-found' });
});
