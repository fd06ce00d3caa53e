import { demoTokens } from './producer';
import { type Place } from './product';
import { rawRequest } from './raw-request';

interface Payment {
  key: string;
  system: string;
}

/** Payments whose answers never came, one exception each. */
export async function causeUnknownPayments(place: Place, payments: readonly Payment[]): Promise<void> {
  for (const { key, system } of payments) {
    const { executionId, fencingToken } = await ask(
      place,
      'executions',
      {
        ...{ operation: 'create-payment', requestId: key, target: { system, account: 'north-shop' } },
        payload: { orderNumber: key, amount: 12_000, currency: 'KRW' },
      },
      key,
    );
    await ask(place, `executions/${executionId}/effect-started`, { fencingToken });
    await ask(place, `executions/${executionId}/unknown`, {
      ...{ fencingToken, code: 'TIMED_OUT', message: 'no answer' },
    });
  }
}

async function ask(place: Place, path: string, body: object, key?: string) {
  const answer = await rawRequest(place.address, {
    method: 'POST',
    path: `/api/v1/${path}`,
    headers: {
      authorization: `Bearer ${demoTokens(place)['north-automation']}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
  });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.body}`);
  // What the contract promises with a status below 300.
  return JSON.parse(answer.body) as { executionId: string; fencingToken: string };
}
