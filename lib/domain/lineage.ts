import type { Relation } from './decisions';
import type { PersonRef } from './person-ref';
import type { ExecutionState } from './states';

/** One key with what made it. Instants are RFC 3339 in UTC. */
export interface LineageMember {
  readonly executionId: string;
  readonly lineageId: string;
  readonly operation: string;
  readonly key: string;
  readonly state: ExecutionState;
  readonly resultId: string | null;
  readonly relation: Relation | null;
  readonly reissueOf: string | null;
  readonly superseded: boolean;
  readonly createdAt: string;
  readonly openExceptionId: string | null;
  /** The request that made the key; null for an original, and where none is on record. */
  readonly request: {
    readonly requestId: string;
    readonly requestedBy: PersonRef;
    readonly approvals: readonly (PersonRef & { readonly at: string })[];
  } | null;
}

export interface LineageNode extends LineageMember {
  /** The one whose page this is. */
  readonly isPresent: boolean;
  /** Its key can still be executed; at most one of a lineage. */
  readonly isLive: boolean;
  /** Another lineage than the present one's: new work that began here, or that it began at. */
  readonly isNeighbour: boolean;
  /** It was made for a key that is not among the members. */
  readonly originalUnseen: boolean;
  /** What began at this key besides the next of its line: new work, each with its own line. */
  readonly branches: readonly LineageLine[];
}

/** Keys of one lineage, each made for the one before. */
export type LineageLine = readonly LineageNode[];

export interface Lineage {
  /** One line, unless members in between are missing. */
  readonly lines: readonly LineageLine[];
  readonly size: number;
  /** There are more keys than could be read. */
  readonly more: boolean;
}

/** The same as the index `executions_one_live_key_per_lineage`. */
const LIVE: readonly ExecutionState[] = ['RECEIVED', 'PROCESSING', 'FAILED_RETRYABLE', 'UNKNOWN'];

/**
 * Lines and branches of the members, each of them exactly once whatever they say: an original that is not there makes a
 * line begin, and a circle, which the ledger cannot hold, is cut open at its first member. `members` oldest first.
 */
export function lineageOf(members: readonly LineageMember[], presentId: string, more: boolean): Lineage {
  const known = new Map(members.map((each) => [each.executionId, each]));
  const own = known.get(presentId)?.lineageId;
  const made = new Map<string, LineageMember[]>();
  for (const each of members)
    if (each.reissueOf !== null) made.set(each.reissueOf, [...(made.get(each.reissueOf) ?? []), each]);
  const placed = new Set<string>();

  const lineFrom = (first: LineageMember): LineageLine => {
    const line: { member: LineageMember; others: LineageMember[] }[] = [];
    for (let member: LineageMember | undefined = first; member !== undefined;) {
      placed.add(member.executionId);
      const following: LineageMember[] = (made.get(member.executionId) ?? []).filter(
        (each) => !placed.has(each.executionId),
      );
      const { lineageId }: LineageMember = member;
      const next: LineageMember | undefined = following.find((each) => each.lineageId === lineageId);
      line.push({ member, others: following.filter((each) => each !== next) });
      member = next;
    }
    return line.map(({ member, others }) => ({
      ...member,
      isPresent: member.executionId === presentId,
      isLive: !member.superseded && LIVE.includes(member.state),
      isNeighbour: member.lineageId !== own,
      originalUnseen: member.reissueOf !== null && !known.has(member.reissueOf),
      branches: others.filter((each) => !placed.has(each.executionId)).map(lineFrom),
    }));
  };

  const begins = members.filter((each) => each.reissueOf === null || !known.has(each.reissueOf));
  const lines = begins.map(lineFrom);
  for (const each of members) if (!placed.has(each.executionId)) lines.push(lineFrom(each));
  return { lines, size: members.length, more };
}

/** All nodes, each line before its branches. */
export function nodesOf(lines: readonly LineageLine[]): readonly LineageNode[] {
  return lines.flatMap((line) => line.flatMap((node) => [node, ...nodesOf(node.branches)]));
}
