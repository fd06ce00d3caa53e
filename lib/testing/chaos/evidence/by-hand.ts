// Colleagues at work in the outside systems: what they do by hand, no automation knows of.
import { callSystem } from '@/lib/sandbox/automations/external-call';
import type { SystemsAccess } from '@/lib/sandbox/automations/protocol';
import { ELSEWHERE, type Case } from './cases';
import type { Thing } from './truth';

/** A record that is there before anybody asks for its deletion; answers its id. */
export async function enterOldRecord(systems: SystemsAccess, name: string): Promise<string> {
  const { body } = await callSystem(systems, {
    ...{ system: 'crm', method: 'POST', path: '/records', reference: name },
    body: { externalReference: name, account: 'north-sales', name },
  });
  return idIn(body);
}

/** The same reference in another account: it is nothing of ours. */
export async function enterElsewhere(systems: SystemsAccess, { key, payload }: Case): Promise<void> {
  await callSystem(systems, {
    ...{ system: 'crm', method: 'POST', path: '/records', reference: key },
    body: { ...payload, externalReference: key, account: ELSEWHERE },
  });
}

export async function giveBack(systems: SystemsAccess, payment: Thing): Promise<void> {
  await callSystem(systems, {
    ...{ system: 'payment', method: 'POST', reference: payment.reference },
    path: `/payments/${payment.id}/reverse`,
  });
}

function idIn(body: unknown): string {
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null;
  if (typeof id !== 'string') throw new Error('bug: the CRM made a record without an id');
  return id;
}
