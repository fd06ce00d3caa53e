import type { ClaimCase } from './claim-case';
import { CONFLICT_CASES } from './claim-cases-conflict';
import { ENDED_CASES } from './claim-cases-ended';
import { FIRST_CASES } from './claim-cases-first';

/** What a claim is told: the rows of the contract's table that a ledger can give, each the same through every door. */
export const CLAIM_CASES: readonly ClaimCase[] = [...FIRST_CASES, ...ENDED_CASES, ...CONFLICT_CASES];
