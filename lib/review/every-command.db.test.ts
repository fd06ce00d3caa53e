import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { DESK_COMMAND_NAMES, deskCommands, type DeskCommand } from '@/lib/testing/desk-commands';
import { changePerson, deskFixture, RATIONALE, type DeskFixture } from '@/lib/testing/desk-fixture';

let db: TestDatabase;
let desk: DeskFixture;
let commands: Record<string, DeskCommand>;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  commands = await deskCommands(desk, await desk.desk(), await desk.desk({ roles: ['APPROVER'] }));
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

it('covers every command', () => {
  expect(Object.keys(commands)).toEqual(DESK_COMMAND_NAMES);
});

describe.each(DESK_COMMAND_NAMES)('%s', (name) => {
  const prepare = () => commands[name]!.prepare();

  it('R-086b comes about with its audit event, under the person’s name and operation id', async () => {
    const { command, input, by } = await prepare();
    expect((await command(by, input)).outcome).toMatch(/^(done|requested)$/);
    expect(await desk.audit({ operationId: input.operationId })).toMatchObject([
      { event: commands[name]!.event, outcome: 'done', actor_id: by.actor.personId },
    ]);
  });

  it('R-078a R-086b somebody without the role is refused, audited, and nothing else happens', async () => {
    const { command, input } = await prepare();
    const manager = await desk.desk({ roles: ['MANAGER'] });
    const before = await desk.everything();
    const answer = await command(manager, input);
    expect(answer).toMatchObject({
      outcome: 'refused',
      code: expect.stringMatching(/^(ROLE_MISSING|NOT_YOUR_REQUEST)$/),
    });
    const after = await desk.everything();
    expect({ ...after, 'review.audit_events': null }).toEqual({ ...before, 'review.audit_events': null });
    const events = await desk.audit({ operationId: input.operationId });
    expect(events.map((each) => [each.outcome, each.actor_id])).toEqual([
      ['refused', manager.actor.personId],
    ]);
  });

  it('R-077a what was filled in on an earlier state is refused and changes nothing', async () => {
    const { command, input, by, outdated } = await prepare();
    if (outdated === undefined) return;
    const answer = await command(by, { ...input, ...outdated });
    expect(answer).toMatchObject({
      outcome: 'refused',
      code: expect.stringMatching(/^(CHANGED_SINCE_SEEN|DIGEST_MISMATCH)$/),
    });
    expect((await command(by, input)).outcome).toMatch(/^(done|requested)$/);
  });

  it('R-077b B-94 the same click, sent twice at once and once more later, comes about once', async () => {
    const { command, input, by } = await prepare();
    const answers = await Promise.all([command(by, input), command(by, input)]);
    answers.push(await command(by, input));
    for (const answer of answers) expect(answer.outcome).toMatch(/^(done|requested)$/);
    expect(answers.filter((answer) => 'repeated' in answer && answer.repeated)).toHaveLength(2);
    const events = await desk.audit({ operationId: input.operationId });
    expect(events.filter((each) => each.outcome === 'done')).toHaveLength(1);
  });

  it('R-077c AU-02 without its audit event nothing has happened', async () => {
    const { command, input, by } = await prepare();
    const before = await desk.everything();
    const mend = await desk.breakAudit();
    await expect(command(by, input)).rejects.toThrow();
    await mend();
    expect(await desk.everything()).toEqual(before);
    expect((await command(by, input)).outcome).toMatch(/^(done|requested)$/);
  });

  it('R-078a a person who has been disabled meanwhile is refused, and that is audited', async () => {
    const { command, input } = await prepare();
    const gone = await desk.desk({ roles: ['OPERATOR', 'APPROVER'] });
    await changePerson(db, gone.actor.personId, `disabled_at = ledger.clock()`);
    expect(await command(gone, input)).toMatchObject({ outcome: 'refused', code: 'ACCOUNT_DISABLED' });
    const events = await desk.audit({ operationId: input.operationId });
    expect(events).toMatchObject([{ outcome: 'refused', refusal_code: 'ACCOUNT_DISABLED' }]);
  });

  it('unknown members and U+0000 are refused before the database sees them', async () => {
    const { command, input, by } = await prepare();
    for (const change of [{ isAdmin: true }, { rationale: `${RATIONALE}\0`, text: '\0', place: '\0' }])
      expect(await command(by, { ...input, ...change })).toMatchObject({
        outcome: 'refused',
        code: 'INVALID_INPUT',
      });
  });
});
