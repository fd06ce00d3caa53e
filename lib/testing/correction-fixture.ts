// A paid order whose key came once more with another amount, and requests for a new key about it.
import { randomUUID } from 'node:crypto';
import type { LookingContext } from '@/lib/review/desk-context';
import { requestReissue } from '@/lib/review/request-reissue';
import type { DeskFixture } from './desk-fixture';
import { fingerprint, type Json } from './ledger-fixture';

export interface CorrectionFixture {
  /** The original as it ended, and the arrival with other content. */
  conflict: (
    amounts: { original?: string; other?: string },
    more?: Json,
    /** What changes before the other content comes, and what its arrival says then. */
    before?: () => Promise<Json>,
  ) => Promise<Conflict>;
  /** A request for a new key about it; answers what a verdict on it says. */
  requested: (conflict: Conflict, relation: string, intakeId: string | null) => Promise<AskedCorrection>;
}

interface Conflict {
  id: string;
  exceptionId: string;
  intakeId: string;
}

interface AskedCorrection {
  requestId: string;
  verdict: (change?: Json) => Json & { operationId: string };
}

export function correctionFixture(desk: DeskFixture, operator: LookingContext): CorrectionFixture {
  const row = async (text: string, values: unknown[]) =>
    (await desk.db.pool('owner').query<Record<string, string>>(text, values)).rows[0]!;
  const content = (amount: string | undefined) =>
    amount === undefined ? {} : { displayFields: { '/amount': amount } };
  return {
    conflict: async ({ original, other }, more = {}, before = async () => ({})) => {
      const key = randomUUID();
      const first = await desk.ledger.claim(key, { ...content(original), ...more });
      const { executionId: id } = first.execution!;
      await desk.ledger.report('effect_started', id, { fencingToken: '1' });
      await desk.ledger.report('complete', id, { fencingToken: '1', resultId: `PAY-${key}` });
      const changed = fingerprint(`other ${key}`);
      const then = { ...more, ...(await before()), fingerprints: { 1: changed } };
      await desk.ledger.claim(key, { ...content(other), ...then, fingerprint: changed });
      const intake = await row(
        `select intake_id from ledger.intakes where execution_id = $1 and disposition = 'CONTENT_CONFLICT'`,
        [id],
      );
      const exceptionId = await desk.exceptionOf(id, 'CONTENT_CONFLICT');
      return { id, exceptionId, intakeId: intake['intake_id']! };
    },
    requested: async ({ id, exceptionId }, relation, intakeId) => {
      const { form } = await desk.seen(operator, exceptionId);
      const fate = { originalFate: 'It stays as it is.', evidenceId: null, lookAgain: false };
      const asked = await requestReissue(operator, { ...form, relation, intakeId, ...fate });
      if (asked.outcome !== 'requested') throw new Error(JSON.stringify(asked));
      const request = await row(
        `select request_id, digest from review.approval_requests where execution_id = $1 and state = 'PENDING'`,
        [id],
      );
      const { request_id: requestId, digest } = request;
      const verdict = (change: Json = {}) => ({
        ...{ requestId, digest, operationId: randomUUID(), verdict: 'APPROVE', lookAgain: false },
        ...{ rationale: 'Both payments are meant to stand.', ...change },
      });
      return { requestId: requestId!, verdict };
    },
  };
}
