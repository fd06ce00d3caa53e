import { type LedgerTruth } from './ledger-truth';
import { poll } from './poll';

export interface NorthernException {
  id: string;
  executionId: string;
  key: string;
}

/** Some open exception of the north with an execution; the demo's automations cause the first one soon after a start. */
export function northernException(truth: LedgerTruth): Promise<NorthernException> {
  return poll(
    'an exception of the north',
    async () => {
      const [found] = await truth.rows<NorthernException>(
        `SELECT x.exception_id::text AS id, e.execution_id::text AS "executionId", e.idempotency_key AS key
           FROM review.exceptions x JOIN ledger.executions e USING (execution_id) WHERE x.tenant_id = 'tenant-north' AND x.state = 'OPEN' LIMIT 1`,
      );
      return found;
    },
    { within: 90_000 },
  );
}
