import { sqlstateOf } from '@/lib/db/sqlstate';
import { countedContent, fingerprintOf, WHOLE_PAYLOAD } from '@/lib/domain/fingerprint';
import { newAttemptId } from '../client/attempt-id';
import { requireJson, requireKey } from '../client/create-client';
import type { ArrivalAnswer } from '../protocol';
import type { Sql } from './database';
import { UnknownState } from './judge-claim';
import type { RunOnceRequest } from './types';

/** A request as the ledger is told of it, with the attempt id that every repetition keeps. */
export type Arrival = Omit<RunOnceRequest, 'payload' | 'policy' | 'fingerprint' | 'attemptId'> & {
  readonly fingerprint: string;
  readonly attemptId: string;
};

/** A key or a payload that cannot be used is a mistake in the program: it throws before anything is begun. */
export function arrivalOf(request: RunOnceRequest): Arrival {
  const { payload, policy, fingerprint, ...fields } = request;
  requireKey(request.key);
  return {
    ...fields,
    attemptId: request.attemptId ?? newAttemptId(),
    fingerprint: fingerprint ?? fingerprintOfPayload({ payload, policy }),
  };
}

function fingerprintOfPayload({ payload, policy }: Pick<RunOnceRequest, 'payload' | 'policy'>): string {
  if (payload === undefined) throw new TypeError('a payload or a fingerprint is needed');
  requireJson(payload, 'payload');
  const counted = countedContent(payload, policy ?? WHOLE_PAYLOAD);
  if (!counted.ok) throw new TypeError(`payload${counted.pointer}: ${counted.detail}`);
  return fingerprintOf(counted.content);
}

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/** The ledger's own word for a move that its table does not have. */
const MOVE_REFUSED = 'OO004';

/**
 * Waits for a rival that has not committed yet, and answers from what then is committed.
 * @throws UnknownState when the ledger itself cannot tell what may follow on the record's state
 */
export async function claim(sql: Sql, arrival: Arrival): Promise<ArrivalAnswer> {
  try {
    const [row] = await arrive(sql, arrival);
    if (row !== undefined) return row.answer;
  } catch (error) {
    if (sqlstateOf(error) !== MOVE_REFUSED) throw error;
    throw new UnknownState('the ledger knows no move from the state of the record', { cause: error });
  }
  throw new Error('bug: no answer from ledger.claim');
}

function arrive(sql: Sql, arrival: Arrival): Promise<readonly { answer: ArrivalAnswer }[]> {
  const { target } = arrival;
  return sql`select ledger.claim(
    operation => ${arrival.operation}::text, idempotency_key => ${arrival.key}::text,
    fingerprint => ${arrival.fingerprint}::text, request_id => ${arrival.requestId}::text,
    content_version => ${arrival.contentVersion ?? null}::text,
    target_system => ${target?.system ?? null}::text, target_account => ${target?.account ?? null}::text,
    workflow_id => ${arrival.workflowId ?? null}::text, step => ${arrival.step ?? null}::text,
    business_ref => ${arrival.businessRef ?? null}::text, approval_ref => ${json(arrival.approvalRef)}::jsonb,
    external_request_key => ${arrival.externalRequestKey ?? null}::text, input_ref => ${arrival.inputRef ?? null}::text,
    deadline => ${arrival.deadline ?? null}::timestamptz, owner => ${arrival.owner ?? null}::text,
    attempt_id => ${arrival.attemptId}::uuid, trace_id => ${arrival.traceId ?? null}::text,
    display_fields => ${json(arrival.displayFields)}::jsonb) as answer`;
}

/** Whether the record as it is now came from this very attempt: then an earlier COMMIT of ours did arrive. */
export async function isOurs(sql: Sql, executionId: string, arrival: Arrival): Promise<boolean> {
  const rows = await sql`select 1 from ledger.executions
    where execution_id = ${executionId}::uuid and attempt_id = ${arrival.attemptId}::uuid`;
  return rows.length > 0;
}
