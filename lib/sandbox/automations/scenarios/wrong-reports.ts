import { makeRequestId, type Automation } from '../automation';
import { type Intent } from '../intent';
import { type Scenario } from '../scenario';
import { intendMail, intendPayment, intendRecord, resultOf } from './steps';

/** Automations with mistakes of their own: what they send or report is not what the ledger can accept. */
export const WRONG_REPORTS: readonly Scenario[] = [
  {
    name: 'amount-changed',
    principal: 'north-automation',
    kind: 'CONTENT_CONFLICT',
    visible: false,
    run: changeAmount,
  },
  {
    name: 'south-amount-changed',
    principal: 'south-automation',
    kind: 'CONTENT_CONFLICT',
    visible: false,
    run: changeAmount,
  },
  {
    name: 'result-id-forgotten',
    principal: 'north-automation',
    kind: 'MISSING_RESULT_ID',
    visible: true,
    run: async (automation) =>
      void (await automation.run(await intendRecord(automation, { retransmitted: true }), {
        told: () => ({}),
      })),
  },
  {
    name: 'result-id-of-another',
    principal: 'north-automation',
    kind: 'RESULT_MISMATCH',
    visible: true,
    run: async (automation) => {
      const first = resultOf(await automation.run(await intendRecord(automation)));
      if (first === null) return;
      const second = await intendRecord(automation.nextCustomer());
      await automation.run(second, { told: (effect) => ({ ...effect, resultId: first }) });
    },
  },
  {
    name: 'key-forgotten',
    principal: 'north-automation',
    kind: 'KEY_MISSING',
    visible: false,
    run: async (automation) => {
      const { key, operation, payload } = await intendMail(automation);
      const requestId = makeRequestId();
      const told = await automation.client.keyless({ operation, requestId, payload });
      const note = told.kind === 'OK' ? `request ${requestId} sent without its key` : told.kind;
      await automation.note('key-forgotten', { operation, reference: key, note });
    },
  },
  {
    name: 'cancelled-yet-sent',
    principal: 'north-automation',
    kind: 'CONTRADICTED_DECISION',
    visible: true,
    run: async (automation) => sendInSpiteOfCancel(automation, await intendRecord(automation)),
  },
];

/** The order is paid; then its amount changes, and the shop sends it again under the same key. */
async function changeAmount(automation: Automation): Promise<void> {
  const payment = await intendPayment(automation);
  if (resultOf(await automation.run(payment)) === null) return;
  const amount = Number(payment.payload.amount) + 30_000;
  const changed = await automation.intendOther(payment, { ...payment.payload, amount }, 'v2');
  await automation.run(changed);
}

/** One part cancels before the effect starts; another part has not heard of it and sends all the same. */
async function sendInSpiteOfCancel(automation: Automation, intent: Intent): Promise<void> {
  const { client } = automation;
  const claim = await client.claim(automation.claimOf(intent));
  if (claim.kind !== 'CLAIMED') return;
  const { executionId, fencingToken } = claim;
  await client.cancel(executionId, { reason: 'The customer withdrew the inquiry.' });
  await automation.step('cancelled', intent, { executionId });
  const effect = await automation.effect(intent, executionId, {});
  const told = await client.complete(executionId, { fencingToken, ...effect });
  const note = told.kind === 'REFUSED' ? `refused: ${told.code}` : told.kind;
  await automation.step('sent-after-cancel', intent, {
    executionId,
    effectId: effect.resultId,
    event: 'refused',
    note,
  });
}
