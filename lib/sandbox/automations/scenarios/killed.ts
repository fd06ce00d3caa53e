import { type Scenario } from '../scenario';
import { intendDeletion, intendMail, intendReport, makeRecord } from './steps';

/** The process dies at a dangerous point (`killAt`): the ledger sees an owner that falls silent. */
export const KILLED: readonly Scenario[] = [
  {
    name: 'deletion-killed-after-commit',
    principal: 'north-automation',
    kind: 'STUCK_PROCESSING',
    visible: true,
    killAt: { point: 'after-commit', operation: 'delete-crm-record' },
    run: async (automation) => {
      const record = await makeRecord(automation);
      if (record !== null) await automation.run(await intendDeletion(automation, record));
    },
  },
  {
    name: 'mail-killed-after-send',
    principal: 'north-automation',
    kind: 'UNKNOWN_RESULT',
    visible: true,
    killAt: { point: 'after-commit', operation: 'send-receipt-mail' },
    run: async (automation) =>
      void (await automation.run(await intendMail(automation, { retransmitted: true }))),
  },
  {
    name: 'report-killed-before-send',
    principal: 'north-automation',
    kind: 'EXPIRED_KEY',
    visible: true,
    killAt: { point: 'before-send', operation: 'register-monthly-report' },
    run: async (automation) => void (await automation.run(await intendReport(automation))),
  },
];
