// Exceptions of several kinds, made by the ledger's own verbs, each with the form that its page sends.
import { randomUUID } from 'node:crypto';
import type { LookingContext } from '@/lib/review/desk-context';
import type { DeskFixture, SeenForm } from './desk-fixture';
import { fingerprint, NORTH } from './ledger-fixture';

/** What `operator` finds on the desk. */
export async function deskOccasions(desk: DeskFixture, operator: LookingContext) {
  const { db } = desk;
  const short = { retention_seconds: 1, retry_within_seconds: 5, claim_within_seconds: 5 };
  await desk.ledger.policy('quick', { effect_class: 'REVERSIBLE', ...short });

  const exceptionWhere = async (condition: string, values: unknown[]): Promise<string> => {
    const { rows } = await db
      .pool('owner')
      .query<{ exception_id: string }>(
        `select exception_id from review.exceptions where state = 'OPEN' and ${condition} order by opened_at desc limit 1`,
        values,
      );
    return rows[0]!.exception_id;
  };

  /** The form of an exception as the page sends it. */
  async function formOf(condition: string, values: unknown[], by = operator): Promise<SeenForm> {
    const { form } = await desk.seen(by, await exceptionWhere(condition, values));
    return form;
  }

  async function stuck() {
    const { id } = await desk.ledger.started(randomUUID(), { leaseSeconds: 1 });
    await db.advanceClock('2 seconds');
    await desk.ledger.sweep();
    return formOf('execution_id = $1', [id]);
  }

  async function conflict(operation = 'create-payment') {
    const key = randomUUID();
    const { id, token } = await desk.ledger.started(key, { operation });
    await desk.ledger.report('complete', id, { fencingToken: token, resultId: `R-${key}` });
    await desk.ledger.claim(key, { operation, fingerprint: fingerprint('other') });
    return id;
  }

  async function expired() {
    const key = randomUUID();
    const { id, token } = await desk.ledger.started(key, { operation: 'quick' });
    await desk.ledger.report('complete', id, { fencingToken: token, resultId: `R-${key}` });
    await db.advanceClock('5 seconds');
    await desk.ledger.sweep();
    await desk.ledger.claim(key, { operation: 'quick' });
    return formOf(`execution_id = $1 and kind = 'EXPIRED_KEY'`, [id]);
  }

  async function keyless() {
    await db
      .pool('app')
      .query('select ledger.keyless_as($1, $2)', [NORTH, { operation: `note-${randomUUID()}` }]);
    return formOf(`kind = 'KEY_MISSING'`, []);
  }

  async function mismatch() {
    const { id, token } = await desk.ledger.started(randomUUID(), {
      target: { system: 'payment', account: 'main' },
    });
    const target = { system: 'payment', account: 'other' };
    await desk.ledger.report('complete', id, { fencingToken: token, resultId: `R-${id}`, target });
    return formOf('execution_id = $1', [id]);
  }

  return { formOf, stuck, conflict, expired, keyless, mismatch };
}
