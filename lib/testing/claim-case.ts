import type { ClaimWorld } from './claim-world';
import type { Door } from './doors/door';

/** One promise of the ledger, tried through a door. `operation` is the case's own; the title carries the rules' ids. */
export interface ClaimCase {
  readonly title: string;
  readonly run: (door: Door, world: ClaimWorld, operation: string) => Promise<void>;
}
