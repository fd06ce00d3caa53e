import type { Pool } from '@/lib/db/pool';
import { statement } from '@/lib/db/statement';
import type { Execution, JsonValue } from './client/wire';

/** What a claim or registration tells the SQL functions; members as in `ledger.read_claim`. */
export interface ArrivalCall {
  readonly operation: string;
  readonly key: string;
  readonly requestId: string;
  readonly fingerprint: string;
  readonly fingerprintAlgorithm: string;
  readonly policyVersion: number;
  /** Fingerprints under older policies, by version: an old record is compared under its own. */
  readonly fingerprints: Readonly<Record<string, string>>;
  /** The policy in force takes no new record of this: it is answered if a record is there, and else refused (OO005). */
  readonly onlyExisting?: boolean;
  readonly fieldHashes?: Readonly<Record<string, string>>;
  readonly displayFields?: Readonly<Record<string, JsonValue>>;
  readonly [member: string]: unknown;
}

/** An answer to an arrival. `code` null: accepted. */
export interface ArrivalAnswer {
  readonly disposition: string | null;
  readonly code: string | null;
  readonly execution?: Execution;
  readonly retryAfterSeconds?: number;
  readonly conflictingFields?: readonly string[] | null;
  readonly newKey?: string | null;
  readonly newExecutionId?: string | null;
  readonly firstExecutionId?: string | null;
  readonly resultId?: string | null;
  readonly resultUrl?: string | null;
  readonly failureCode?: string | null;
  readonly owner?: string | null;
  readonly since?: string | null;
  readonly progress?: JsonValue;
  readonly replay?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly body: string | null;
  } | null;
}

export interface KeylessArrivalAnswer {
  readonly disposition: 'KEY_MISSING';
  readonly code: string | null;
  readonly intakeId: string;
  readonly unprotected: boolean;
}

export interface ReportAnswer {
  readonly code: string | null;
  readonly detail?: string | null;
  readonly execution?: Execution;
  readonly sendBefore?: string;
}

const ARRIVALS = {
  claim: 'select ledger.claim_as($1, $2) as answer',
  register: 'select ledger.register_as($1, $2) as answer',
} as const;

const REPORTS = {
  'effect-started': 'select ledger.effect_started_as($1, $2, $3) as answer',
  heartbeat: 'select ledger.heartbeat_as($1, $2, $3) as answer',
  complete: 'select ledger.complete_as($1, $2, $3) as answer',
  fail: 'select ledger.fail_as($1, $2, $3) as answer',
  unknown: 'select ledger.report_unknown_as($1, $2, $3) as answer',
  cancel: 'select ledger.cancel_as($1, $2, $3) as answer',
} as const;

export type ReportVerb = keyof typeof REPORTS;

/** Every call is one autocommit statement. A repeated claim finds its attempt id, a repeated report its own outcome. */
export async function arrive(
  pool: Pool,
  kind: keyof typeof ARRIVALS,
  principalId: string,
  call: ArrivalCall,
): Promise<ArrivalAnswer> {
  return answerOf<ArrivalAnswer>(pool, ARRIVALS[kind], [principalId, JSON.stringify(call)], true);
}

export async function report(
  pool: Pool,
  verb: ReportVerb,
  principalId: string,
  executionId: string,
  body: object,
): Promise<ReportAnswer> {
  return answerOf<ReportAnswer>(pool, REPORTS[verb], [principalId, executionId, JSON.stringify(body)], true);
}

/** Not repeated on a lost answer: each call is one more arrival. */
export async function arriveKeyless(
  pool: Pool,
  principalId: string,
  arrival: object,
): Promise<KeylessArrivalAnswer> {
  const text = 'select ledger.keyless_as($1, $2) as answer';
  return answerOf<KeylessArrivalAnswer>(pool, text, [principalId, JSON.stringify(arrival)], false);
}

async function answerOf<Answer>(
  pool: Pool,
  text: string,
  values: readonly unknown[],
  repeatable: boolean,
): Promise<Answer> {
  const { rows } = await statement<{ answer: Answer }>(pool, text, values, { repeatable });
  const [row] = rows;
  if (row === undefined) throw new Error(`bug: no answer from ${text}`);
  return row.answer;
}
