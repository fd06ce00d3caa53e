import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineageOf, nodesOf, type LineageLine, type LineageMember } from './lineage';
import { EXECUTION_STATES } from './states';

const NO_FACTS = {
  operation: 'create-payment',
  resultId: null,
  superseded: false,
  openExceptionId: null,
  request: null,
} as const;

const member = (
  index: number,
  parent: number | null,
  change: Partial<LineageMember> = {},
): LineageMember => ({
  ...NO_FACTS,
  executionId: `e-${index}`,
  lineageId: 'own',
  key: `key-${index}`,
  state: 'UNKNOWN',
  relation: parent === null ? null : 'RETRY_AS_NEW',
  reissueOf: parent === null ? null : `e-${parent}`,
  createdAt: new Date(index * 1000).toISOString(),
  ...change,
});

/** Reissues of earlier keys alone, as the ledger makes them; new work has the lineage of its own id. */
const forest = fc
  .array(fc.record({ back: fc.nat(), root: fc.boolean(), fresh: fc.boolean() }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((drawn) => {
    const members: LineageMember[] = [];
    drawn.forEach(({ back, root, fresh }, index) => {
      const parent = index === 0 || root ? null : back % index;
      const lineageId = parent === null || fresh ? `e-${index}` : members[parent]!.lineageId;
      members.push(member(index, parent, { lineageId, ...(fresh && { relation: 'NEW_WORK' }) }));
    });
    return members;
  });

/** Whatever the members say: any original, itself and circles among them. */
const anything = fc
  .array(fc.option(fc.nat({ max: 30 }), { nil: null }), { minLength: 1, maxLength: 30 })
  .map((originals) => originals.map((original, index) => member(index, original)));

/** Each drawn edge, as "made for". */
function edges(lines: readonly LineageLine[], from: string | null = null): [string, string | null][] {
  return lines.flatMap((line) =>
    line.flatMap((node, at): [string, string | null][] => [
      [node.executionId, at === 0 ? from : line[at - 1]!.executionId],
      ...edges(node.branches, node.executionId),
    ]),
  );
}

describe('the lineage of a key', () => {
  it('R-072b draws every key of any forest once, each under the one that it was made for', () => {
    fc.assert(
      fc.property(forest, fc.nat(), (members, chosen) => {
        const present = members[chosen % members.length]!;
        const { lines, size } = lineageOf(members, present.executionId, false);
        expect(size).toBe(members.length);
        const drawn = edges(lines).sort();
        expect(drawn).toEqual(members.map((each) => [each.executionId, each.reissueOf]).sort());
        expect(nodesOf(lines).filter((node) => node.isPresent)).toHaveLength(1);
        for (const node of nodesOf(lines))
          expect(node.isNeighbour).toBe(node.lineageId !== present.lineageId);
      }),
    );
  });

  it('R-072b a line stays in one lineage, and what has its own branches off', () => {
    fc.assert(
      fc.property(forest, (members) => {
        const walk = (lines: readonly LineageLine[]): void => {
          for (const line of lines) {
            expect(new Set(line.map((node) => node.lineageId)).size).toBe(1);
            for (const node of line) walk(node.branches);
          }
        };
        walk(lineageOf(members, 'e-0', false).lines);
      }),
    );
  });

  it('R-072b draws every key once and ends, even when originals are missing or go round in a circle', () => {
    fc.assert(
      fc.property(anything, (members) => {
        const { lines } = lineageOf(members, 'e-0', true);
        const drawn = nodesOf(lines).map((node) => node.executionId);
        expect([...drawn].sort()).toEqual(members.map((each) => each.executionId).sort());
        const known = new Set(drawn);
        for (const node of nodesOf(lines))
          expect(node.originalUnseen).toBe(node.reissueOf !== null && !known.has(node.reissueOf));
      }),
    );
  });

  it.each(EXECUTION_STATES)('R-072c tells whether a key in state %s can still be executed', (state) => {
    const live = ['RECEIVED', 'PROCESSING', 'FAILED_RETRYABLE', 'UNKNOWN'].includes(state);
    const [[node] = []] = lineageOf([member(0, null, { state })], 'e-0', false).lines;
    expect(node?.isLive).toBe(live);
    const [[replaced] = []] = lineageOf([member(0, null, { state, superseded: true })], 'e-0', false).lines;
    expect(replaced?.isLive).toBe(false);
  });
});
