// JSON by its meaning, apart from any reader or writer of the product: what is spelled in two ways is one tree.
import fc from 'fast-check';
import { choices, type Choices } from './choices';

export type Tree =
  | null
  | boolean
  | { readonly number: number }
  | { readonly text: string }
  | { readonly list: readonly Tree[] }
  | { readonly members: readonly (readonly [string, Tree])[] };

/** Text that JSON and PostgreSQL can hold: no U+0000, no lone surrogate. */
const text = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.constantFrom(
      '',
      ' ',
      '1',
      '1.0',
      'true',
      'null',
      '각산상회',
      'e\u0301',
      '\u202e',
      '\u200b',
      'a,b',
      '\ufeff',
    ),
  )
  .map((each) => each.replace(/\0|\p{Surrogate}/gu, ''));
const name = fc.oneof(
  text,
  fc.constantFrom('a', 'b', 'amount', '__proto__', 'constructor', 'toString', '/', '~1'),
);
const number = fc.oneof(
  fc.integer(),
  fc.integer({ min: -9, max: 99 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, 1, 100, 0.1, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 9007199254740991),
);

export const tree: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    number.map((each): Tree => ({ number: each === 0 ? 0 : each })),
    text.map((each): Tree => ({ text: each })),
    fc.array(tie('tree'), { maxLength: 4 }).map((list): Tree => ({ list })),
    fc
      .uniqueArray(fc.tuple(name, tie('tree')), { maxLength: 5, selector: ([each]) => each })
      .map((members): Tree => ({ members })),
  ),
})).tree;

/** Another meaning, made by one change at one place that `seed` chooses. */
export function changed(value: Tree, seed: number): Tree {
  return change(value, choices(seed));
}

function change(value: Tree, pick: Choices): Tree {
  if (value === null)
    return pick.of<Tree>([false, { number: 0 }, { text: '' }, { text: 'null' }, { list: [] }]);
  if (typeof value === 'boolean') return pick.of<Tree>([!value, null, { text: String(value) }]);
  if ('number' in value) {
    const { number: one } = value;
    return pick.of<Tree>([{ text: String(one) }, { list: [value] }, { number: one === 0 ? 1 : one / -2 }]);
  }
  if ('text' in value) {
    const added = [' ', '\u200b', 'x', '\u0301'].map((each): Tree => ({ text: `${value.text}${each}` }));
    return pick.of<Tree>([...added, { list: [value] }, null]);
  }
  if ('list' in value) return changeList(value.list, pick);
  return changeMembers(value.members, pick);
}

function changeList(list: readonly Tree[], pick: Choices): Tree {
  const inner = list.length > 0 && pick.below(2) === 0 ? pick.below(list.length) : -1;
  if (inner >= 0) return { list: list.map((each, index) => (index === inner ? change(each, pick) : each)) };
  return pick.of<Tree>([{ list: [...list, null] }, { list: [{ list }] }, { members: [['0', { list }]] }]);
}

function changeMembers(members: readonly (readonly [string, Tree])[], pick: Choices): Tree {
  const inner = members.length > 0 && pick.below(2) === 0 ? pick.below(members.length) : -1;
  if (inner >= 0) {
    const [name_, member] = members[inner]!;
    const longer = `${members.map(([each]) => each).join('')}x`;
    const instead = pick.of<(readonly [string, Tree])[]>([
      [[name_, change(member, pick)]],
      [],
      [[longer, member]],
    ]);
    return { members: members.flatMap((each, index) => (index === inner ? instead : [each])) };
  }
  const fresh = `${members.map(([each]) => each).join('')}+`;
  return pick.of<Tree>([{ members: [...members, [fresh, null]] }, { list: [{ members }] }]);
}
