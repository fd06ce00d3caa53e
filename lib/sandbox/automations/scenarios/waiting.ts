import { setTimeout as sleep } from 'node:timers/promises';
import { type Automation } from '../automation';
import { type Scenario } from '../scenario';
import { intendMail, intendPayment, intendRecord, intendReport, resultOf } from './steps';

/** Longer than the limit for running CRM work, in seconds; long enough to be seen and to be decided about. */
const LONG_WORK_SECONDS = 300;

/** Only time shows these: work that nobody takes, takes long, cannot be done, or comes back too late. */
export const WAITING: readonly Scenario[] = [
  {
    name: 'report-again-after-expiry',
    principal: 'north-automation',
    kind: 'EXPIRED_KEY',
    visible: true,
    run: retransmitAfterExpiry,
  },
  {
    name: 'long-import',
    principal: 'north-automation',
    kind: 'LONG_RUNNING',
    visible: true,
    run: async (automation) =>
      void (await automation.run(await intendRecord(automation), {
        before: async ({ signal, report }) => {
          for (let second = 0; second < LONG_WORK_SECONDS && !signal.aborted; second += 5) {
            await report({ progress: { importedContacts: second * 4, ofContacts: LONG_WORK_SECONDS * 4 } });
            await sleep(5_000);
          }
          signal.throwIfAborted();
        },
      })),
  },
  {
    name: 'registered-never-claimed',
    principal: 'north-automation',
    kind: 'UNCLAIMED',
    visible: true,
    run: async (automation) => {
      const {
        attemptId: _,
        leaseSeconds: __,
        ...registration
      } = automation.claimOf(await intendPayment(automation, { neglected: true }));
      const told = await automation.client.register(registration);
      const { operation, key } = registration;
      await automation.note('registered', { operation, reference: key, note: told.kind });
    },
  },
  {
    name: 'mail-server-out-of-reach',
    principal: 'north-automation',
    kind: 'RETRY_STALLED',
    visible: true,
    run: async (automation) =>
      void (await automation.run(await intendMail(automation, { unreachableAttempts: 3 }), {
        reachable: false,
      })),
  },
];

/** The report is on record; a caller that was offline comes back with the same key when its record has expired. */
async function retransmitAfterExpiry(automation: Automation): Promise<void> {
  const report = await intendReport(automation);
  const outcome = await automation.run(report);
  if (resultOf(outcome) === null || outcome.kind !== 'COMPLETED') return;
  const { expiresAt } = outcome.execution;
  if (expiresAt === null) return;
  // A second more than the ledger's own boundary: this machine's clock may differ.
  await sleep(Math.max(0, new Date(expiresAt).getTime() - Date.now()) + 1_000);
  await automation.run(report);
}
