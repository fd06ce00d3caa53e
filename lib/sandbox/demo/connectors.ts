import { connectorSchema, type Connector } from '@/lib/domain/connector';
import { systemUrl, type SandboxSettings } from '../settings';

export interface DemoConnector {
  connectorId: string;
  /** Says that the system is invented. */
  displayName: string;
  definition: Connector;
}

/** Seconds that a system may take to show what it has accepted; `record-visible-late` stays below the CRM's. */
const VISIBILITY_DELAY = { crm: 35, mail: 5, payment: 20 } as const;
/** A month: longer than any demo exception stays open. */
const QUERYABLE_SECONDS = 30 * 86_400;

/** The questions to the sandbox's systems, with addresses of this data directory. */
export function demoConnectors(settings: SandboxSettings): DemoConnector[] {
  return [
    {
      connectorId: 'sandbox-crm-by-reference',
      displayName: 'Sandbox CRM, by external reference (fictitious)',
      definition: connectorSchema.parse({
        ...common(settings, 'crm', 'SANDBOX_CRM'),
        path: 'records',
        query: { external_reference: '{key}' },
        items: '/items',
        content: [
          { expected: '{display:/name}', pointer: '/name' },
          { expected: '{display:/amount}', pointer: '/amount', match: 'numeric' },
        ],
        statuses: { done: ['active'] },
        notFound: { status404: false, emptyList: true },
      }),
    },
    {
      connectorId: 'sandbox-crm-by-record',
      displayName: 'Sandbox CRM, by record number (fictitious)',
      definition: connectorSchema.parse({
        ...common(settings, 'crm', 'SANDBOX_CRM'),
        path: 'records/{display:/recordId}',
        content: [{ expected: '{display:/recordId}', pointer: '/id' }],
        statuses: { done: ['active'] },
        notFound: { status404: true, emptyList: false },
      }),
    },
    {
      connectorId: 'sandbox-mail',
      displayName: 'Sandbox mail service (fictitious)',
      definition: connectorSchema.parse({
        ...common(settings, 'mail', 'SANDBOX_MAIL'),
        path: 'messages',
        query: { header: 'X-Reference', value: '{key}' },
        items: '/items',
        content: [
          { expected: '{display:/to}', pointer: '/to' },
          { expected: '{display:/subject}', pointer: '/subject' },
        ],
        statuses: { done: ['sent'] },
        notFound: { status404: false, emptyList: true },
      }),
    },
    {
      connectorId: 'sandbox-payment',
      displayName: 'Sandbox payment service (fictitious)',
      definition: connectorSchema.parse({
        ...common(settings, 'payment', 'SANDBOX_PAYMENT'),
        path: 'payments',
        query: { reference: '{key}' },
        items: '/items',
        content: [
          { expected: '{display:/amount}', pointer: '/amount', match: 'numeric' },
          { expected: '{display:/currency}', pointer: '/currency' },
          { expected: '{display:/orderNumber}', pointer: '/orderNumber' },
        ],
        statuses: { done: ['succeeded'], pending: ['pending'], failed: ['failed'], reversed: ['reversed'] },
        notFound: { status404: false, emptyList: true },
      }),
    },
  ];
}

function common(settings: SandboxSettings, system: 'crm' | 'mail' | 'payment', secret: string) {
  return {
    system,
    baseUrl: systemUrl(settings, system),
    headers: { authorization: `Bearer \${secret:${secret}}` },
    fields: { id: '/id', status: '/status', account: '/account', url: '/url' },
    place: systemUrl(settings, system),
    visibilityDelaySeconds: VISIBILITY_DELAY[system],
    queryableSeconds: QUERYABLE_SECONDS,
  };
}
