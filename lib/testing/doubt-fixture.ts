// Payments in doubt as an operator meets them: looked for, with the evidence that a decision needs, or asked to be reissued.
import { randomUUID } from 'node:crypto';
import type { LookingContext } from '@/lib/review/desk-context';
import { lookUpNow } from '@/lib/review/look-up-now';
import { requestReissue } from '@/lib/review/request-reissue';
import type { DeskFixture, SeenForm } from './desk-fixture';
import type { Json } from './ledger-fixture';

export type EvidenceForm = SeenForm & { evidenceId: string; lookAgain: boolean };

interface DoubtfulPayment {
  id: string;
  key: string;
  exceptionId: string;
  form: EvidenceForm;
}

export interface DoubtFixture {
  /** Asks the outside system now and answers the evidence's id. */
  look: (exceptionId: string) => Promise<string>;
  /** An unknown payment that the outside system knows. */
  paid: () => Promise<DoubtfulPayment>;
  /** An unknown payment that never arrived, looked for after the horizon. */
  unpaid: (more?: Json) => Promise<DoubtfulPayment>;
  /** The same with a pending request for a new key, and what a verdict on it says. */
  requested: (by?: LookingContext) => Promise<
    DoubtfulPayment & {
      requestId: string;
      digest: string;
      verdict: (change?: Json) => Json & { operationId: string };
    }
  >;
}

export function doubtFixture(desk: DeskFixture, operator: LookingContext): DoubtFixture {
  const owner = desk.db.pool('owner');
  const look: DoubtFixture['look'] = async (exceptionId) => {
    const looked = await lookUpNow(operator, { exceptionId });
    if (looked.outcome !== 'done') throw new Error(JSON.stringify(looked));
    const { rows } = await owner.query<{ lookup_id: string }>(
      'SELECT lookup_id FROM review.lookups WHERE exception_id = $1 ORDER BY recorded_at DESC LIMIT 1',
      [exceptionId],
    );
    return rows[0]!.lookup_id;
  };
  const withEvidence = async (payment: { id: string; key: string; exceptionId: string }) => {
    const evidenceId = await look(payment.exceptionId);
    const { form } = await desk.seen(operator, payment.exceptionId);
    return { ...payment, form: { ...form, evidenceId, lookAgain: false } };
  };
  const unpaid: DoubtFixture['unpaid'] = async (more = {}) => {
    const payment = await desk.unknownPayment(more);
    await desk.db.advanceClock('10 minutes');
    desk.answerItems();
    return withEvidence(payment);
  };
  return {
    look,
    unpaid,
    paid: async () => {
      const payment = await desk.unknownPayment();
      desk.answerItems(desk.payment(payment.key));
      return withEvidence(payment);
    },
    requested: async (by = operator) => {
      const payment = await unpaid();
      const reissue = { relation: 'RETRY_AS_NEW', originalFate: 'It never happened.', intakeId: null };
      const asked = await requestReissue(by, { ...payment.form, ...reissue });
      if (asked.outcome !== 'requested') throw new Error(JSON.stringify(asked));
      const { rows } = await owner.query<{ request_id: string; digest: string }>(
        'SELECT request_id, digest FROM review.approval_requests WHERE execution_id = $1',
        [payment.id],
      );
      const { request_id: requestId, digest } = rows[0]!;
      const verdict = (change: Json = {}) => ({
        requestId,
        digest,
        operationId: randomUUID(),
        verdict: 'APPROVE',
        rationale: 'Nothing arrived; the customer waits.',
        lookAgain: false,
        ...change,
      });
      return { ...payment, requestId, digest, verdict };
    },
  };
}
