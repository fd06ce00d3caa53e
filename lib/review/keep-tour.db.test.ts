import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import type { LookingContext } from './desk-context';
import { getTour, keepTour } from './keep-tour';

let db: TestDatabase;
let desk: DeskFixture;
let olivia: LookingContext;
let dana: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  olivia = await desk.desk();
  dana = await desk.desk();
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const tourOf = ({ actor, pool }: LookingContext) => getTour({ actor, db: pool });

describe('how far somebody has come in the tour', () => {
  it('R-097m is kept for each person, whatever browser they use, and for nobody else', async () => {
    expect(await tourOf(olivia)).toEqual({ state: 'NEW', place: 0 });
    expect(await keepTour(olivia, { state: 'RUNNING', place: 2 })).toMatchObject({ outcome: 'done' });
    expect(await keepTour(olivia, { state: 'LEFT', place: 3 })).toMatchObject({ outcome: 'done' });
    expect(await tourOf(olivia)).toEqual({ state: 'LEFT', place: 3 });
    expect(await tourOf(dana)).toEqual({ state: 'NEW', place: 0 });
  });

  it.each([
    [{ state: 'NEW', place: 0 }],
    [{ state: 'LEFT', place: -1 }],
    [{ state: 'LEFT', place: 21 }],
    [{ state: 'LEFT', place: 0.5 }],
    [{ state: 'LEFT', place: 0, personId: 'somebody else' }],
    [null],
  ])('R-097m of what no page sends nothing is kept: %j', async (input) => {
    const before = await tourOf(dana);
    expect(await keepTour(dana, input)).toEqual({ outcome: 'refused', code: 'INVALID_INPUT' });
    expect(await tourOf(dana)).toEqual(before);
  });

  it('R-097m the database refuses a state that does not exist, and gives the table to no login', async () => {
    const { personId } = olivia.actor;
    await expect(
      olivia.pool.query('select review.keep_tour($1, $2, $3::smallint)', [personId, 'ELSEWHERE', 0]),
    ).rejects.toMatchObject({ constraint: 'tours_state_is_known' });
    await expect(olivia.pool.query('select * from review.tours')).rejects.toMatchObject({ code: '42501' });
  });
});
