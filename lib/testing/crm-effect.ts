// The effect of acceptance tests: a record in the sandbox's CRM, which knows no request keys and makes two when asked twice.
import type { EffectResult } from '@/lib/ledger/client';

export interface Crm {
  readonly url: string;
  readonly secret: string;
}

const send = (crm: Crm, address: string, init: RequestInit = {}) =>
  fetch(crm.url + address, {
    ...init,
    headers: { authorization: `Bearer ${crm.secret}`, 'content-type': 'application/json', ...init.headers },
  });

/** @param fault as in the sandbox's `X-Sandbox-Fault` */
export async function createRecord(crm: Crm, reference: string, fault?: string): Promise<EffectResult> {
  const response = await send(crm, '/records', {
    method: 'POST',
    headers: fault === undefined ? {} : { 'x-sandbox-fault': fault },
    body: JSON.stringify({ externalReference: reference, account: 'north', name: 'Fictitious' }),
  });
  if (response.status !== 201) throw new Error(`the CRM answered ${response.status}`);
  const { id } = (await response.json()) as { id: string };
  return { resultId: id, response: { status: 201, body: { id } } };
}

/** Ids of the records that the CRM really has for a reference: its own data, not anybody's answer. */
export async function recordsOf(crm: Crm, reference: string): Promise<string[]> {
  const response = await send(crm, `/records?external_reference=${encodeURIComponent(reference)}`);
  const { items } = (await response.json()) as { items: { id: string }[] };
  return items.map(({ id }) => id);
}
