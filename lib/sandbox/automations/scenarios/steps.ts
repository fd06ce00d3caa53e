import { type OnceOutcome } from '@/lib/ledger/client';
import { type Automation, type IntentDraft, type RunOptions } from '../automation';
import { accountOf, fictionOf, type AccountUse } from '../fictitious';
import { type Intent } from '../intent';

type Extras = Partial<Pick<IntentDraft, 'unreachableAttempts' | 'neglected' | 'retransmitted'>>;

function account(automation: Automation, use: AccountUse): string {
  return accountOf(
    automation.order.producers[0]?.principal === 'south-automation' ? 'south-automation' : 'north-automation',
    use,
  );
}

/** A customer asked something: note it in the CRM. */
export function intendRecord(automation: Automation, extras: Extras = {}): Promise<Intent> {
  const { name, amount, number } = fictionOf(automation.order.seed);
  const sales = account(automation, 'sales');
  return automation.intend({
    operation: 'create-crm-record',
    step: 'crm-record',
    businessRef: `inquiry/${number}`,
    account: sales,
    payload: { account: sales, name, amount, currency: 'KRW' },
    ...extras,
  });
}

/** Tell the customer that something arrived. */
export function intendMail(automation: Automation, extras: Extras = {}): Promise<Intent> {
  const { name, address, number } = fictionOf(automation.order.seed);
  const desk = account(automation, 'desk');
  return automation.intend({
    operation: 'send-receipt-mail',
    step: 'receipt-mail',
    businessRef: `receipt/${number}`,
    account: desk,
    payload: {
      account: desk,
      to: address,
      subject: `Receipt ${number} (fictitious)`,
      text: `${name}: ${number}`,
    },
    ...extras,
  });
}

/** Take the money for an order. */
export function intendPayment(automation: Automation, extras: Extras = {}, method = 'card'): Promise<Intent> {
  const { amount, number } = fictionOf(automation.order.seed);
  const shop = account(automation, 'shop');
  return automation.intend({
    operation: 'create-payment',
    step: 'payment',
    businessRef: `order/${number}`,
    account: shop,
    payload: { account: shop, orderNumber: number, amount, currency: 'KRW', method },
    ...extras,
  });
}

/** Put the monthly report on record. */
export function intendReport(automation: Automation, extras: Extras = {}): Promise<Intent> {
  const { amount, number } = fictionOf(automation.order.seed);
  const reports = account(automation, 'reports');
  return automation.intend({
    operation: 'register-monthly-report',
    step: 'report',
    businessRef: `report/${number}`,
    account: reports,
    payload: { account: reports, name: `Monthly report ${number}`, amount, currency: 'KRW' },
    ...extras,
  });
}

/** Delete a record of the CRM that an earlier step made. */
export function intendDeletion(
  automation: Automation,
  recordId: string,
  extras: Extras = {},
): Promise<Intent> {
  const sales = account(automation, 'sales');
  return automation.intend({
    operation: 'delete-crm-record',
    step: 'crm-deletion',
    businessRef: `record/${recordId}`,
    account: sales,
    payload: { account: sales, recordId },
    ...extras,
  });
}

/** A finished CRM record to work on; null when the step did not succeed and the workflow ends here. */
export async function makeRecord(automation: Automation, options: RunOptions = {}): Promise<string | null> {
  return resultOf(await automation.run(await intendRecord(automation), options));
}

export function resultOf(outcome: OnceOutcome): string | null {
  return outcome.kind === 'COMPLETED' && outcome.execution.state === 'SUCCEEDED'
    ? outcome.execution.resultId
    : null;
}
