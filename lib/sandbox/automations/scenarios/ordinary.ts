import { type Scenario } from '../scenario';
import { intendDeletion, intendMail, intendPayment, intendReport, makeRecord, resultOf } from './steps';

const goesWell = { kind: null, visible: true } as const;

/** Work that goes well: most of what the ledger sees. */
export const ORDINARY: readonly Scenario[] = [
  {
    ...goesWell,
    name: 'inquiry',
    principal: 'north-automation',
    run: async (automation) => {
      if ((await makeRecord(automation)) !== null) await automation.run(await intendMail(automation));
    },
  },
  {
    ...goesWell,
    name: 'order',
    principal: 'north-automation',
    run: async (automation) => {
      const payment = await intendPayment(automation);
      const paid = await automation.run(payment);
      if (resultOf(paid) === null) return;
      // A shop's page that is loaded again sends the same order again; the ledger answers from memory.
      await automation.run(payment);
      await automation.run(await intendMail(automation));
    },
  },
  {
    ...goesWell,
    name: 'refused-order',
    principal: 'north-automation',
    run: async (automation) =>
      void (await automation.run(await intendPayment(automation, {}, 'expired-card'))),
  },
  {
    ...goesWell,
    name: 'monthly-report',
    principal: 'north-automation',
    run: async (automation) => void (await automation.run(await intendReport(automation))),
  },
  {
    ...goesWell,
    name: 'erasure',
    principal: 'north-automation',
    run: async (automation) => {
      const record = await makeRecord(automation);
      if (record !== null) await automation.run(await intendDeletion(automation, record));
    },
  },
  {
    ...goesWell,
    name: 'south-inquiry',
    principal: 'south-automation',
    run: async (automation) => {
      if ((await makeRecord(automation)) !== null) await automation.run(await intendMail(automation));
    },
  },
];
