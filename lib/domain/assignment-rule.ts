import type { PersonRef } from './person-ref';

export const ASSIGNMENT_MODES = ['ROUND_ROBIN', 'FIXED'] as const;

export type AssignmentMode = (typeof ASSIGNMENT_MODES)[number];

/** A rule in force: operation or authority or, with neither, the whole tenant. */
export interface AssignmentRuleRow {
  ruleId: string;
  tenantId: string;
  tenantName: string;
  operation: string | null;
  authority: string | null;
  mode: AssignmentMode;
  assignee: PersonRef | null;
  madeBy: PersonRef;
  madeAt: string;
  /** Exceptions that it has given to people. */
  given: number;
  /** Open exceptions that it waits to give, since nobody may have them now. */
  waiting: number;
}
