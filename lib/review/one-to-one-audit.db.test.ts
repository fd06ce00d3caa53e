import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskCommands, type DeskCommand } from '@/lib/testing/desk-commands';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import type { LookingContext } from './desk-context';

const OPERATIONS = 500;
/** mulberry32: the run follows from the seed alone. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

let db: TestDatabase;
let desk: DeskFixture;
let commands: [string, DeskCommand][];
let outsider: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  commands = Object.entries(
    await deskCommands(desk, await desk.desk(), await desk.desk({ roles: ['APPROVER'] })),
  );
  outsider = await desk.desk({ roles: ['MANAGER'] });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

interface Tried {
  event: string;
  actor: string;
  outcomes: CommandAnswer['outcome'][];
  codes: (string | null)[];
}

/** One act in one of the ways in which acts go: well, twice, without the role, too late, or with a broken audit. */
async function tryOne(name: string, { event, prepare }: DeskCommand, way: number): Promise<[string, Tried]> {
  const { command, input, by, outdated } = await prepare();
  const who = way === 2 ? outsider : by;
  const tried: Tried = { event, actor: who.actor.personId, outcomes: [], codes: [] };
  const once = async (what: object) => {
    const answer = await command(who, what);
    tried.outcomes.push(answer.outcome);
    tried.codes.push(answer.outcome === 'refused' ? answer.code : null);
  };
  if (way === 4) {
    const mend = await desk.breakAudit();
    await expect(command(by, input), name).rejects.toThrow();
    await mend();
  } else {
    await once(way === 3 && outdated !== undefined ? { ...input, ...outdated } : input);
    if (way === 1) await once(input);
  }
  return [input.operationId, tried];
}

describe('the audit beside what happened', () => {
  it('R-086b AU-01 500 random acts leave one event each, that of what came about, and no others', async () => {
    const below = random(inject('fuzzSeed'));
    const tried = new Map<string, Tried>();
    for (let n = 0; n < OPERATIONS; n += 1) {
      const [name, command] = commands[below(commands.length)]!;
      const [operationId, one] = await tryOne(name, command, below(5));
      tried.set(operationId, one);
    }
    const owner = db.pool('owner');
    const { rows: events } = await owner.query<{
      id: string;
      about: string | null;
      event: string;
      outcome: string;
      code: string | null;
      actor_id: string;
    }>(
      `select operation_id::text as id, exception_id::text as about, event, outcome, refusal_code as code, actor_id from review.audit_events order by number`,
    );
    for (const [operationId, { event, actor, outcomes, codes }] of tried) {
      const expected =
        outcomes.length === 0
          ? []
          : [{ outcome: outcomes[0] === 'refused' ? 'refused' : 'done', code: codes[0] }];
      const found = events.filter(({ id }) => id === operationId);
      expect(
        found.map(({ outcome, code }) => ({ outcome, code })),
        `${event} ${operationId}`,
      ).toEqual(expected);
      for (const each of found) {
        expect(each.actor_id).toBe(actor);
        // A refusal is kept under the name of what would have come about in the end.
        if (each.outcome === 'done') expect(each.event).toBe(event);
      }
    }

    // The other way round: every transition that carries an operation id has its event.
    const { rows: changes } = await owner.query<{ id: string; about: string }>(
      `select operation_id::text as id, exception_id::text as about from review.decisions
       union select operation_id::text, exception_id::text from review.approval_requests
       union select a.operation_id::text, r.exception_id::text from review.approval_decisions a join review.approval_requests r using (request_id)`,
    );
    const done = new Set(
      events.filter(({ outcome }) => outcome === 'done').map(({ id, about }) => `${id} ${about}`),
    );
    expect(changes.length).toBeGreaterThan(50);
    expect(changes.filter(({ id, about }) => !done.has(`${id} ${about}`))).toEqual([]);
  }, 180_000);
});
