import type { Transaction } from '@/lib/db/transaction';
import type { LookupEnding } from '@/lib/domain/lookup-schedule';
import type { AskedLookup } from './ask-connector';

/** What goes with a lookup into its record. */
export interface LookupFiling {
  exceptionId: string | null;
  /** When it will be asked again by itself; null when it will not. */
  nextCheckAt: Date | null;
  /** Set with the last automatic lookup of a run: why the run is over. */
  ending: LookupEnding | null;
}

/**
 * Keeps one lookup as evidence and answers its id. In this transaction `review.record_lookup` also notes it on the
 * exception, opens DUPLICATE_RESULT for several effects and appends the audit event `lookup.recorded`.
 * Who looked is the transaction's actor.
 */
export async function recordLookup(
  tx: Transaction,
  asked: AskedLookup,
  filing: LookupFiling,
): Promise<string> {
  const { rows } = await tx.query<{ lookup_id: string }>(
    'SELECT review.record_lookup($1::jsonb) AS lookup_id',
    [JSON.stringify(members(asked, filing), keepable)],
  );
  const row = rows[0];
  if (row === undefined) throw new Error('bug: record_lookup answered nothing');
  return row.lookup_id;
}

function members(asked: AskedLookup, filing: LookupFiling): Record<string, unknown> {
  const { finding, subject, connector } = asked;
  return {
    executionId: subject.executionId,
    exceptionId: filing.exceptionId,
    executionVersion: subject.executionVersion,
    connectorId: asked.connectorId,
    connectorVersion: asked.connectorVersion,
    question: asked.question,
    outcome: finding.outcome,
    externalStatus: finding.externalStatus,
    verdict: asked.verdict,
    resultId: finding.resultId,
    resultUrl: finding.resultUrl,
    targetSystem: connector?.system ?? null,
    targetAccount: finding.targetAccount,
    accountMatch: finding.accountMatch,
    contentMatch: finding.contentMatch,
    comparison: finding.comparison,
    matches: finding.matches,
    candidates: finding.candidates,
    // Whatever settles nothing says where a person goes on.
    nextPlace: asked.verdict === 'UNCLEAR' ? (connector?.place ?? null) : null,
    errorClass: finding.errorClass,
    nextCheckAt: filing.nextCheckAt,
    usableFrom: asked.horizon.usableFrom,
    // Only what rests on "nothing there" is lost when the system forgets.
    usableUntil: finding.outcome === 'NOT_FOUND' ? asked.horizon.usableUntil : null,
    checkedAt: subject.askedAtText,
    durationMs: asked.durationMs,
    ending: filing.ending,
  };
}

/** PostgreSQL keeps neither NUL nor half a character; outside systems may send both. */
function keepable(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\0|\p{Cs}/gu, '\uFFFD') : value;
}
