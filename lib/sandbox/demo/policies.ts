import { type Proof } from '@/lib/domain/lookup-verdict';
import { type OperationGuide } from '@/lib/domain/operation-guide';
import { type ProtectionClass } from '@/lib/domain/protection';
import { type OperationName } from '../automations/intent';
import { GUIDES } from './guides';

/**
 * One row of `ledger.operation_policies`, its columns in camelCase; those that are not named keep the built-in default.
 * Times are in seconds and short: a visitor must see in a minute what takes a day elsewhere.
 */
export interface DemoPolicy {
  operation: OperationName;
  version: number;
  effectClass: 'NONE' | 'REVERSIBLE' | 'COMPENSABLE' | 'IRREVERSIBLE';
  protectionClass: ProtectionClass;
  protectionDocument?: string;
  protectionKeyScope?: string;
  protectionValidUntil?: string;
  protectionCheckedBy?: string;
  protectionCheckedAt?: string;
  authority: string;
  valueField?: string;
  valueCurrency?: string;
  proof: Proof;
  /** Several executions may name one result: a deletion ends in the record that another execution made. */
  sharedResults?: boolean;
  displayFields: string[];
  transientCodes?: string[];
  leaseSeconds: number;
  graceSeconds: number;
  longRunningSeconds: number;
  claimWithinSeconds: number;
  retryWithinSeconds: number;
  retentionSeconds: number;
  maxAttempts: number;
  negativeProofHorizonSeconds: number;
  evidenceMaxAgeSeconds: number;
  dedupeWindowSeconds?: number;
  slaSeconds: number;
  connectorId: string;
  guide: OperationGuide;
}

const WEEK = 7 * 86_400;

const common = {
  version: 1,
  proof: 'PRESENCE',
  leaseSeconds: 15,
  graceSeconds: 10,
  longRunningSeconds: 45,
  claimWithinSeconds: 20,
  retryWithinSeconds: 600,
  retentionSeconds: WEEK,
  maxAttempts: 3,
  negativeProofHorizonSeconds: 60,
  evidenceMaxAgeSeconds: 300,
  slaSeconds: 3_600,
} as const;

/** The sandbox systems really do what this says, so the demo's protection counts. */
const provenBy = (system: string, promise: string) => ({
  protectionDocument: `The sandbox's ${system} system (fictitious): ${promise}`,
  protectionKeyScope: 'the whole sandbox system',
  protectionValidUntil: '2099-12-31T00:00:00Z',
  protectionCheckedBy: 'the demo (fictitious)',
  protectionCheckedAt: '2026-01-01T00:00:00Z',
});

/** The demo's operations, the same in both tenants. */
export const DEMO_POLICIES: readonly DemoPolicy[] = [
  {
    ...common,
    operation: 'create-crm-record',
    effectClass: 'COMPENSABLE',
    protectionClass: 'LOOKUP_ONLY',
    authority: 'general',
    displayFields: ['/name', '/amount', '/currency'],
    connectorId: 'sandbox-crm-by-reference',
    guide: GUIDES['create-crm-record'],
  },
  {
    ...common,
    operation: 'delete-crm-record',
    effectClass: 'IRREVERSIBLE',
    protectionClass: 'CONDITIONAL',
    ...provenBy('CRM', 'deleting a record that is gone changes nothing'),
    authority: 'deletion',
    proof: 'ABSENCE',
    sharedResults: true,
    displayFields: ['/recordId'],
    // A day: a deletion whose owner died stays in progress on the desk, so that one such exception can always be seen.
    graceSeconds: 86_400,
    connectorId: 'sandbox-crm-by-record',
    guide: GUIDES['delete-crm-record'],
  },
  {
    ...common,
    operation: 'send-receipt-mail',
    effectClass: 'IRREVERSIBLE',
    protectionClass: 'LOOKUP_ONLY',
    authority: 'sending',
    displayFields: ['/to', '/subject'],
    negativeProofHorizonSeconds: 30,
    connectorId: 'sandbox-mail',
    guide: GUIDES['send-receipt-mail'],
  },
  {
    ...common,
    operation: 'create-payment',
    effectClass: 'IRREVERSIBLE',
    protectionClass: 'PROVIDER_KEY',
    ...provenBy('payment', 'a repeated request key gets the first payment again'),
    authority: 'money',
    valueField: '/amount',
    valueCurrency: 'KRW',
    displayFields: ['/orderNumber', '/amount', '/currency'],
    transientCodes: ['HTTP_503'],
    graceSeconds: 30,
    dedupeWindowSeconds: 86_400,
    slaSeconds: 1_800,
    connectorId: 'sandbox-payment',
    guide: GUIDES['create-payment'],
  },
  {
    ...common,
    operation: 'register-monthly-report',
    effectClass: 'REVERSIBLE',
    protectionClass: 'LOOKUP_ONLY',
    authority: 'general',
    displayFields: ['/name', '/amount', '/currency'],
    // So short that a key can be seen expiring; a real report would be kept for its whole reporting season.
    retentionSeconds: 45,
    connectorId: 'sandbox-crm-by-reference',
    guide: GUIDES['register-monthly-report'],
  },
];
