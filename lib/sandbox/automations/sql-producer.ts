import pg from 'pg';
import { z } from 'zod';
import { fingerprintOf } from '@/lib/domain/fingerprint';
import { type Automation } from './automation';
import { type Intent } from './intent';
import { findEffect, type Effect } from './perform-effect';

const claimAnswer = z.object({
  code: z.string().nullable(),
  execution: z.object({ executionId: z.string(), fencingToken: z.string() }).optional(),
});
type Held = NonNullable<z.infer<typeof claimAnswer>['execution']>;

interface WaitingRow {
  operation: string;
  key: string;
  fingerprint: string;
  /** Key of the original, when this is a reissue. */
  reissueOf: string | null;
  version: string;
}

/** A program that knows PostgreSQL and nothing else: it speaks to the ledger in SQL, as its own login role. */
export class SqlProducer {
  private constructor(private readonly client: pg.Client) {}

  static async connect(url: string): Promise<SqlProducer> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on('error', (error) => console.error('sandbox: SQL producer lost its connection:', error.message));
    await client.connect();
    return new SqlProducer(client);
  }

  close(): Promise<void> {
    return this.client.end();
  }

  /** The protocol's verbs as SQL functions: claim, effect started, complete. */
  async runByFunctions(automation: Automation, intent: Intent): Promise<void> {
    const held = await this.claim(intent);
    if (held === null) return automation.step('outcome', intent, { event: 'refused', note: 'not claimed' });
    const { executionId, fencingToken } = held;
    await this.client.query('SELECT ledger.effect_started($1, $2)', [executionId, fencingToken]);
    const earlier = await findEffect(automation.order.systems, intent);
    const effect: Effect = earlier ?? (await automation.effect(intent, executionId, {}));
    await this.client.query('SELECT ledger.complete($1, $2, $3, $4)', [
      executionId,
      fencingToken,
      effect.resultId,
      effect.resultUrl,
    ]);
    await automation.step('outcome', intent, {
      executionId,
      effectId: effect.resultId,
      note: 'completed by SQL',
    });
  }

  /** Claims by a plain INSERT, loses the CRM's answer, and says so by a plain UPDATE. */
  async loseAnswer(automation: Automation, intent: Intent): Promise<void> {
    const inserted = await this.client.query<{ execution_id: string; fencing_token: string }>(
      `INSERT INTO ledger.executions (operation, idempotency_key, request_id, fingerprint, content_version, target_system,
         target_account, workflow_id, step, business_ref, display_fields, state)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'PROCESSING')
       RETURNING execution_id, fencing_token`,
      claimValues(intent),
    );
    const [row] = inserted.rows;
    if (row === undefined) throw new Error('bug: INSERT … RETURNING gave no row');
    const held = [row.execution_id, row.fencing_token];
    await this.client.query(
      'UPDATE ledger.executions SET fencing_token = $2, effect_started_at = clock_timestamp() WHERE execution_id = $1',
      held,
    );
    const faults = [{ kind: 'drop-after-commit', seconds: 0 }] as const;
    const answered = await automation.effect(intent, row.execution_id, { faults }).catch(() => null);
    if (answered !== null) throw new Error('bug: an answer came although it was to be dropped');
    await this.client.query(
      `UPDATE ledger.executions
       SET fencing_token = $2, state = 'UNKNOWN', failure_code = 'CONNECTION_LOST', failure_message = 'no answer from the CRM'
       WHERE execution_id = $1`,
      held,
    );
    await automation.step('outcome', intent, {
      executionId: row.execution_id,
      note: 'reported unknown by SQL',
    });
  }

  /** Own executions that wait for an executor: retries that a person allowed, and reissues. */
  async listWaiting(): Promise<WaitingRow[]> {
    const waiting = await this.client.query<WaitingRow>(
      `SELECT e.operation, e.idempotency_key AS key, e.fingerprint, o.idempotency_key AS "reissueOf", e.version::text AS version
       FROM ledger.executions e LEFT JOIN ledger.executions o ON o.execution_id = e.reissue_of
       WHERE e.state IN ('FAILED_RETRYABLE', 'RECEIVED') AND e.superseded_by IS NULL
       ORDER BY e.created_at LIMIT 20`,
    );
    return waiting.rows;
  }

  private async claim(intent: Intent): Promise<Held | null> {
    const answered = await this.client.query<{ answer: unknown }>(
      `SELECT ledger.claim(operation => $1, idempotency_key => $2, request_id => $3, fingerprint => $4, content_version => $5,
         target_system => $6, target_account => $7, workflow_id => $8, step => $9, business_ref => $10,
         display_fields => $11) AS answer`,
      claimValues(intent),
    );
    const answer = claimAnswer.parse(answered.rows[0]?.answer);
    return answer.code === null ? (answer.execution ?? null) : null;
  }
}

function claimValues(intent: Intent): (string | null)[] {
  const { operation, key, requestId, payload, contentVersion, target, workflowId, step, businessRef } =
    intent;
  const { name, amount } = payload;
  return [
    operation,
    key,
    requestId,
    fingerprintOf(payload),
    contentVersion,
    target.system,
    target.account,
    workflowId,
    step,
    businessRef,
    JSON.stringify({ '/name': name, '/amount': amount }),
  ];
}
