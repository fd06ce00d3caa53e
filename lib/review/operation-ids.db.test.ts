import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AUDIT_TABLES, digestOfAll } from '@/lib/testing/audit-failpoints';
import { administratorsActs, type PreparedAct } from '@/lib/testing/administrators-acts';
import { behindLock } from '@/lib/testing/behind-lock';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskCommands } from '@/lib/testing/desk-commands';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture } from '@/lib/testing/doubt-fixture';
import { makePerson, sessionOf } from '@/lib/testing/people';
import { rightsForm } from '@/lib/testing/people-forms';
import { addManualEvidence } from './add-manual-evidence';
import { assignException } from './assign-exception';
import { commentException } from './comment-exception';
import type { LookingContext } from './desk-context';
import { linkResult } from './link-result';
import { openInput } from './open-input';
import { changeRights } from './people/change-rights';
import { endSessions } from './people/end-sessions';
import { settleOperation } from './settle-operation';

let db: TestDatabase;
let desk: DeskFixture;
/** Both hold what every command asks for, so that an id of one's own finished act can be sent to any of them. */
let operator: LookingContext;
let approver: LookingContext;
let acts: Record<string, () => Promise<PreparedAct>>;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk({ roles: ['OPERATOR', 'ADMIN'] });
  approver = await desk.desk({ roles: ['APPROVER', 'ADMIN'] });
  const commands = Object.entries(await deskCommands(desk, operator, approver));
  acts = {
    ...Object.fromEntries(commands.map(([name, { prepare }]) => [name, prepare])),
    ...administratorsActs(desk, operator, approver),
  };
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

/** Every table but the audit's own, which keeps the refusals. */
const allElse = () => digestOfAll(db, AUDIT_TABLES);

const comment = async (by = operator) => {
  const { exceptionId } = await desk.unknownPayment();
  const { view, form } = await desk.seen(by, exceptionId);
  const { operationId } = form;
  const input = {
    exceptionId,
    exceptionVersion: form.exceptionVersion,
    operationId,
    text: 'Called the shop.',
  };
  return { exceptionId, view, input, operationId, version: form.exceptionVersion };
};
const codesOf = async (operationId: string) =>
  (await desk.audit({ operationId })).map((event) => [event.event, event.refusal_code]);

describe('an operation id names one act of one person on one subject', () => {
  it('R-085d every command, sent with the id of every finished act, is refused and changes nothing', async () => {
    const used: Record<string, string> = {};
    for (const [name, prepare] of Object.entries(acts)) {
      const { command, by, input } = await prepare();
      const first = await command(by, input);
      expect(first.outcome, name).toMatch(/^(done|requested)$/);
      used[name] = input.operationId;
    }
    for (const [name, prepare] of Object.entries(acts)) {
      const { command, by, input } = await prepare();
      const before = await allElse();
      for (const [other, operationId] of Object.entries(used)) {
        const answer = await command(by, { ...input, operationId });
        expect(answer, `${name} with the id of ${other}`).toMatchObject({ code: 'OPERATION_ID_USED' });
      }
      expect(await allElse(), name).toEqual(before);
      expect((await command(by, input)).outcome, name).toMatch(/^(done|requested)$/);
    }
    // On record, each of them: as many refusals as there are commands.
    for (const [name, operationId] of Object.entries(used)) {
      const codes = (await codesOf(operationId)).map(([, code]) => code);
      expect(
        codes.filter((code) => code === 'OPERATION_ID_USED'),
        name,
      ).toHaveLength(Object.keys(acts).length);
    }
  }, 240_000);

  it('R-085d the same command sent again gets the first answer, and nothing more comes about', async () => {
    for (const [name, prepare] of Object.entries(acts)) {
      const { command, by, input } = await prepare();
      // What is told or shown once is not told again.
      const {
        inputRef: _reference,
        shownOnce: _secret,
        ...first
      } = (await command(by, input)) as object & {
        inputRef?: string;
        shownOnce?: string;
      };
      const before = await allElse();
      expect(await command(by, input), name).toEqual({ ...first, repeated: true });
      expect(await allElse(), name).toEqual(before);
      expect(
        (await codesOf(input.operationId)).filter(([, code]) => code !== null),
        name,
      ).toEqual([]);
    }
  }, 120_000);

  it('R-085d another act on the same exception, and the same act on another one, are no repetition', async () => {
    const { exceptionId, view, input, operationId, version } = await comment();
    const other = await comment();
    expect(await commentException(operator, input)).toMatchObject({ outcome: 'done' });
    const assign = {
      exceptionId,
      exceptionVersion: version,
      operationId,
      assigneeId: operator.actor.personId,
    };
    const evidence = {
      ...{ exceptionId, operationId, executionVersion: view.execution!.version },
      ...{ place: 'Payment console', seen: 'No such order.', verdict: 'UNCLEAR', contentAgrees: false },
      checkedAt: view.execution!.createdAt,
    };
    for (const answer of [
      await assignException(operator, assign),
      await addManualEvidence(operator, evidence),
      await commentException(operator, { ...other.input, operationId }),
    ])
      expect(answer).toMatchObject({ outcome: 'refused', code: 'OPERATION_ID_USED' });
    expect(await codesOf(operationId)).toEqual([
      ['exception.commented', null],
      ['exception.assigned', 'OPERATION_ID_USED'],
      ['evidence.recorded', 'OPERATION_ID_USED'],
      ['exception.commented', 'OPERATION_ID_USED'],
    ]);
  });

  it('R-085d another person’s id is not a repetition, and that is on record under the own name', async () => {
    const { input, operationId } = await comment();
    await commentException(operator, input);
    const colleague = await desk.desk();
    expect(await commentException(colleague, input)).toMatchObject({ code: 'OPERATION_ID_USED' });
    expect((await desk.audit({ operationId })).at(-1)).toMatchObject({ actor_id: colleague.actor.personId });
  });

  it('R-085d of one id at the same moment for two subjects one act comes about', async () => {
    const [one, two] = [await comment(), await comment()];
    // Each writes its event last: the first one waits there, and the second one for the id.
    const answers = await behindLock(
      db,
      ['select from review.audit_head for update', []],
      [
        () => commentException(operator, one.input),
        () => commentException(operator, { ...two.input, operationId: one.operationId }),
      ],
    );
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['done', 'refused']);
    expect((await codesOf(one.operationId)).map(([, code]) => code).sort()).toEqual([
      'OPERATION_ID_USED',
      null,
    ]);
  });

  it('R-085d one more session of the same person is another subject', async () => {
    const personId = await makePerson(db, {
      email: `s-${randomUUID()}@demo.local`,
      tenantIds: ['tenant-north'],
    });
    const ask = { personId, sessionId: await sessionOf(db, personId), operationId: randomUUID() };
    const more = { ...ask, sessionId: await sessionOf(db, personId) };
    expect(await endSessions(operator, ask)).toMatchObject({ outcome: 'done' });
    expect(await endSessions(operator, more)).toMatchObject({ code: 'OPERATION_ID_USED' });
  });

  it('R-085d what was refused has used nothing up', async () => {
    const { exceptionId, input, operationId, version } = await comment();
    expect(await commentException(operator, { ...input, text: ' ' })).toMatchObject({ code: 'TEXT_LENGTH' });
    const assign = {
      exceptionId,
      exceptionVersion: version,
      operationId,
      assigneeId: operator.actor.personId,
    };
    expect(await assignException(operator, assign)).toEqual({ outcome: 'done', repeated: false });
    expect(await assignException(operator, assign)).toEqual({ outcome: 'done', repeated: true });
    expect(await commentException(operator, input)).toMatchObject({ code: 'OPERATION_ID_USED' });
  });
});

describe('rights come before a repetition', () => {
  it('R-085d R-078a nobody without the role hears "done" for an id of their own, and that is on record', async () => {
    const plain = await desk.desk();
    const { input, operationId } = await comment(plain);
    await commentException(plain, input);
    const personId = await makePerson(db, {
      email: `o-${randomUUID()}@demo.local`,
      tenantIds: ['tenant-north'],
    });
    const form = { ...(await rightsForm(db, personId, { roles: ['MANAGER'] })), operationId };
    expect(await changeRights(plain, form)).toMatchObject({ outcome: 'refused', code: 'ROLE_MISSING' });
    await changePerson(db, plain.actor.personId, `roles = '{MANAGER}'`);
    expect(await commentException(plain, input)).toMatchObject({ outcome: 'refused', code: 'ROLE_MISSING' });
    const { id } = await desk.ledger.started(randomUUID(), { inputRef: 's3://inputs/1' });
    const open = { executionId: id, operationId, rationale: 'Asked by the shop for it.' };
    expect(await openInput(plain, open)).toMatchObject({ outcome: 'refused', code: 'ROLE_MISSING' });
    expect((await codesOf(operationId)).map(([, code]) => code)).toEqual([
      null,
      ...['ROLE_MISSING', 'ROLE_MISSING', 'ROLE_MISSING'],
    ]);
  });

  it('R-085d R-078a who lost the role hears nothing more of the own decision', async () => {
    const plain = await desk.desk();
    const { form } = await doubtFixture(desk, plain).paid();
    expect(await linkResult(plain, form)).toMatchObject({ outcome: 'done' });
    await changePerson(db, plain.actor.personId, `roles = '{MANAGER}'`);
    expect((await linkResult(plain, form)).outcome).toBe('refused');
    expect(await codesOf(form.operationId)).toHaveLength(2);
  });

  it('R-085d one’s own sessions end without a role, and not under the id of another act', async () => {
    const plain = await desk.desk();
    const { input, operationId } = await comment(plain);
    await commentException(plain, input);
    const { personId } = plain.actor;
    const ask = { personId, sessionId: await sessionOf(db, personId) };
    expect(await endSessions(plain, { ...ask, operationId })).toMatchObject({ code: 'OPERATION_ID_USED' });
    expect(await endSessions(plain, { ...ask, operationId: randomUUID() })).toMatchObject({
      outcome: 'done',
    });
    const stranger = { personId: operator.actor.personId, sessionId: null, operationId: randomUUID() };
    expect(await endSessions(plain, stranger)).toMatchObject({ code: 'ROLE_MISSING' });
  });

  it('R-085d of an id that was tried for two acts nothing is told to have happened', async () => {
    const { exceptionId, input, operationId, version } = await comment();
    await commentException(operator, input);
    expect(await settleOperation(operator, operationId)).toEqual({ outcome: 'done', repeated: true });
    await assignException(operator, {
      ...{ exceptionId, exceptionVersion: version, operationId, assigneeId: operator.actor.personId },
    });
    expect(await settleOperation(operator, operationId)).toEqual({
      outcome: 'refused',
      code: 'OPERATION_ID_USED',
    });
  });
});
