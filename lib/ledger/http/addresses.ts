/** One call of the API: where it is, and whose limit it counts against. */
interface Address {
  readonly method: 'GET' | 'POST';
  /** Below `/api/v1`; `:name` is one segment. */
  readonly path: string;
  /** Arrivals count against the claims of the principal, everything else against its calls; open calls need no token. */
  readonly access: 'arrival' | 'call' | 'open';
}

const report = (verb: string): Address => ({
  method: 'POST',
  path: `/executions/:id/${verb}`,
  access: 'call',
});

/** Every call of the API. The router, the document and its page are made from this list. */
export const ADDRESSES = {
  claim: { method: 'POST', path: '/executions', access: 'arrival' },
  register: { method: 'POST', path: '/executions/register', access: 'arrival' },
  listExecutions: { method: 'GET', path: '/executions', access: 'call' },
  getExecution: { method: 'GET', path: '/executions/:id', access: 'call' },
  effectStarted: report('effect-started'),
  heartbeat: report('heartbeat'),
  complete: report('complete'),
  fail: report('fail'),
  reportUnknown: report('unknown'),
  cancel: report('cancel'),
  listWorkflow: { method: 'GET', path: '/workflows/:workflowId', access: 'call' },
  reportKeyless: { method: 'POST', path: '/intakes/keyless', access: 'arrival' },
  getDocument: { method: 'GET', path: '/openapi.json', access: 'open' },
} as const satisfies Record<string, Address>;

export type CallName = keyof typeof ADDRESSES;
