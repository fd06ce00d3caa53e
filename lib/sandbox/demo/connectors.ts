import { connectorSchema, type Connector } from '@/lib/domain/connector';
import { systemUrl, type SandboxSettings } from '../settings';

export interface DemoConnector {
  connectorId: string;
  /** For both tenants: the accounts tell them apart. */
  tenantId: null;
  /** The systems listen on this machine. */
  allowPrivate: true;
  recipe: Connector;
}

/** Seconds that a system may take to show what it has accepted; `record-visible-late` stays below the CRM's. */
const VISIBILITY_DELAY = { crm: 35, mail: 5, payment: 20 } as const;
/** A month: longer than any demo exception stays open. */
const QUERYABLE_SECONDS = 30 * 86_400;

const everywhere = { tenantId: null, allowPrivate: true } as const;

/** The questions to the sandbox's systems, with addresses of this data directory. */
export function demoConnectors(settings: SandboxSettings): DemoConnector[] {
  return [
    {
      ...everywhere,
      connectorId: 'sandbox-crm-by-reference',
      recipe: connectorSchema.parse({
        ...common(settings, 'crm', 'SANDBOX_CRM'),
        path: 'records',
        query: { external_reference: '{key}' },
        items: '/items',
        content: [
          { expected: '{key}', pointer: '/externalReference', role: 'identifies' },
          { expected: '{display:/name}', pointer: '/name' },
          { expected: '{display:/amount}', pointer: '/amount', match: 'numeric' },
        ],
        statuses: { done: ['active'] },
        notFound: { status404: false, emptyList: true },
      }),
    },
    {
      ...everywhere,
      connectorId: 'sandbox-crm-by-record',
      recipe: connectorSchema.parse({
        ...common(settings, 'crm', 'SANDBOX_CRM'),
        path: 'records/{display:/recordId}',
        content: [{ expected: '{display:/recordId}', pointer: '/id' }],
        absentId: '{display:/recordId}',
        statuses: { done: ['active'] },
        notFound: { status404: true, emptyList: false },
      }),
    },
    {
      ...everywhere,
      connectorId: 'sandbox-mail',
      recipe: connectorSchema.parse({
        ...common(settings, 'mail', 'SANDBOX_MAIL'),
        path: 'messages',
        query: { header: 'X-Reference', value: '{key}' },
        items: '/items',
        content: [
          { expected: '{key}', pointer: '/headers/X-Reference', role: 'identifies' },
          { expected: '{display:/to}', pointer: '/to' },
          { expected: '{display:/subject}', pointer: '/subject' },
        ],
        statuses: { done: ['sent'] },
        notFound: { status404: false, emptyList: true },
      }),
    },
    {
      ...everywhere,
      connectorId: 'sandbox-payment',
      recipe: connectorSchema.parse({
        ...common(settings, 'payment', 'SANDBOX_PAYMENT'),
        path: 'payments',
        query: { reference: '{key}' },
        items: '/items',
        content: [
          { expected: '{key}', pointer: '/reference', role: 'identifies' },
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
    // Says wherever it is shown that the system is invented.
    place: `Sandbox ${system} system (fictitious), ${systemUrl(settings, system)}`,
    visibilityDelaySeconds: VISIBILITY_DELAY[system],
    queryableSeconds: QUERYABLE_SECONDS,
  };
}
