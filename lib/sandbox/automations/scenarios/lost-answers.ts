import { setTimeout as sleep } from 'node:timers/promises';
import { type Automation } from '../automation';
import { type Intent } from '../intent';
import { findEffect } from '../perform-effect';
import { callSystem } from '../external-call';
import { type Scenario } from '../scenario';
import { type Fault, type FaultKind } from '../../systems/fault';
import { intendDeletion, intendMail, intendPayment, intendRecord, makeRecord } from './steps';

/** How long these automations wait for an external system before they give up. */
const PATIENCE_MS = 2_000;
const unknown = { kind: 'UNKNOWN_RESULT', visible: true } as const;
const asked = { retransmitted: true } as const;

function fault(kind: FaultKind, seconds = 0): Fault {
  return { kind, seconds };
}

/** The outside call ends without an answer: whether the effect happened, only a look into the system tells. */
export const LOST_ANSWERS: readonly Scenario[] = [
  {
    ...unknown,
    name: 'mail-sent-answer-lost',
    principal: 'north-automation',
    run: async (automation) => {
      if ((await makeRecord(automation)) === null) return;
      await automation.run(await intendMail(automation, asked), { faults: [fault('drop-after-commit')] });
    },
  },
  {
    ...unknown,
    name: 'payment-never-arrived',
    principal: 'north-automation',
    run: async (automation) =>
      void (await automation.run(await intendPayment(automation, asked), {
        faults: [fault('hang-before')],
        deadlineMs: PATIENCE_MS,
      })),
  },
  {
    ...unknown,
    name: 'payment-arrives-late',
    principal: 'north-automation',
    run: async (automation) =>
      void (await automation.run(await intendPayment(automation, asked), {
        faults: [fault('late-arrival', 45)],
      })),
  },
  {
    ...unknown,
    name: 'payment-reversed-meanwhile',
    principal: 'north-automation',
    run: payThenReverse,
  },
  {
    ...unknown,
    name: 'payment-pending',
    principal: 'north-automation',
    run: async (automation) =>
      void (await automation.run(await intendPayment(automation, asked, 'bank-transfer'), {})),
  },
  {
    ...unknown,
    name: 'record-visible-late',
    principal: 'north-automation',
    run: async (automation) =>
      void (await automation.run(await intendRecord(automation, asked), {
        faults: [fault('visibility-delay', 30), fault('error-after')],
      })),
  },
  {
    ...unknown,
    name: 'deletion-answer-lost',
    principal: 'north-automation',
    run: async (automation) => {
      const record = await makeRecord(automation);
      if (record === null) return;
      await automation.run(await intendDeletion(automation, record, asked), {
        faults: [fault('drop-after-commit')],
      });
    },
  },
  {
    ...unknown,
    name: 'south-mail-answer-lost',
    principal: 'south-automation',
    run: async (automation) =>
      void (await automation.run(await intendMail(automation, asked), {
        faults: [fault('drop-after-commit')],
      })),
  },
  {
    name: 'record-entered-twice',
    principal: 'north-automation',
    kind: 'DUPLICATE_RESULT',
    visible: true,
    run: async (automation) =>
      void (await automation.run(await intendRecord(automation, asked), {
        faults: [fault('duplicate'), fault('hang')],
        deadlineMs: PATIENCE_MS,
      })),
  },
  {
    ...unknown,
    name: 'late-result',
    principal: 'north-automation',
    run: async (automation) => reportLate(automation, await intendRecord(automation)),
  },
];

/** Support sees the stray payment before the ledger hears of the lost answer, and gives the money back. */
async function payThenReverse(automation: Automation): Promise<void> {
  const payment = await intendPayment(automation, asked);
  const { systems } = automation.order;
  const reverse = async () => {
    const effect = await findEffect(systems, payment);
    if (effect === null) return;
    const path = `/payments/${effect.resultId}/reverse`;
    await callSystem(systems, { system: 'payment', method: 'POST', path, reference: payment.key });
    await automation.step('reversed-by-support', payment, { effectId: effect.resultId });
  };
  await automation.run(payment, { faults: [fault('drop-after-commit')], meanwhile: reverse });
}

/** Reports unknown after a time-out, then learns the result and reports it with the same token. */
async function reportLate(automation: Automation, intent: Intent): Promise<void> {
  const { client } = automation;
  const claim = await client.claim(automation.claimOf(intent));
  if (claim.kind !== 'CLAIMED') return;
  const { executionId, fencingToken } = claim;
  const started = await client.effectStarted(executionId, { fencingToken });
  if (started.kind !== 'OK') return;
  const options = { faults: [fault('hang')], deadlineMs: PATIENCE_MS };
  const answered = await automation.effect(intent, executionId, options).catch(() => null);
  if (answered !== null) return;
  await client.reportUnknown(executionId, {
    fencingToken,
    code: 'TIMED_OUT',
    message: 'no answer from the CRM',
  });
  await sleep(40_000);
  const effect = await findEffect(automation.order.systems, intent);
  if (effect === null) return;
  const told = await client.complete(executionId, { fencingToken, ...effect });
  await automation.step('late-result', intent, { executionId, effectId: effect.resultId, note: told.kind });
}
