import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changesOfRows, steadyRows } from './steady-rows';

interface Row {
  id: string;
  says: string;
}
const idOf = (row: Row) => row.id;
const rows = (...ids: string[]): Row[] => ids.map((id) => ({ id, says: `${id}0` }));
const list = fc.uniqueArray(
  fc.record({ id: fc.constantFrom(...'abcdefgh'), says: fc.constantFrom('x', 'y') }),
  {
    selector: idOf,
  },
);

describe('rows under the hand', () => {
  it('R-051f stay where they are, with what is newly known of them, whatever is read anew', () => {
    fc.assert(
      fc.property(list, list, (shown, fresh) => {
        const steady = steadyRows(shown, fresh, idOf);
        expect(steady.map(idOf)).toEqual(shown.map(idOf));
        for (const row of steady) {
          const newer = fresh.find((each) => each.id === row.id);
          expect(row).toEqual(newer ?? shown.find((each) => each.id === row.id));
        }
      }),
    );
  });

  it('R-051f the figures say whether taking the newer rows over would move one', () => {
    fc.assert(
      fc.property(list, list, (shown, fresh) => {
        const { moves, added, gone, changed } = changesOfRows(shown, fresh, idOf);
        expect(moves).toBe(shown.map(idOf).join() !== fresh.map(idOf).join());
        expect(added).toBe(fresh.filter((row) => !shown.some((each) => each.id === row.id)).length);
        expect(gone.size).toBe(shown.length + added - fresh.length);
        if (added === 0 && changed === 0) expect(fresh).toEqual(shown);
      }),
    );
    expect(changesOfRows(rows('a', 'b'), rows('a', 'b'), idOf)).toMatchObject({
      added: 0,
      changed: 0,
      moves: false,
    });
    const worded = [{ id: 'a', says: 'other' }, ...rows('b')];
    expect(changesOfRows(rows('a', 'b'), worded, idOf)).toMatchObject({ added: 0, changed: 1, moves: false });
    expect(changesOfRows(rows('a', 'b', 'c'), rows('n', 'a', 'c'), idOf)).toMatchObject({
      added: 1,
      changed: 1,
    });
    expect(changesOfRows(rows(...'abcdef'), rows(...'fabcde'), idOf)).toMatchObject({ added: 0, changed: 1 });
    expect(changesOfRows(rows('a', 'b'), rows('b', 'a'), idOf)).toMatchObject({
      added: 0,
      changed: 1,
      moves: true,
    });
  });
});
