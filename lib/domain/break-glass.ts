import type { ActorRef } from './person-ref';
import type { RefusalCode } from './refusals';

/** What a review of an emergency comes to. */
export const FINDINGS = ['JUSTIFIED', 'NOT_JUSTIFIED'] as const;
export type Finding = (typeof FINDINGS)[number];

/** The least that says why somebody acts alone; `break_glass_uses_say_why` is the same. */
export const SHORTEST_EMERGENCY = 20;

/** One use, with its review when there is one. */
export interface BreakGlassUse {
  readonly requestId: string;
  readonly operation: string;
  readonly tenantName: string;
  readonly usedBy: ActorRef;
  readonly usedAt: string;
  readonly expiresAt: string;
  readonly reason: string;
  readonly review: {
    readonly by: ActorRef;
    readonly at: string;
    readonly finding: Finding;
    readonly rationale: string;
  } | null;
}

/** How a request stands to it, for one reader. */
export interface BreakGlassView {
  readonly use: BreakGlassUse | null;
  /** Why the reader cannot break the glass; null: can. */
  readonly useRefusal: RefusalCode | null;
  /** Why the reader cannot review the use; null: can. */
  readonly reviewRefusal: RefusalCode | null;
}
