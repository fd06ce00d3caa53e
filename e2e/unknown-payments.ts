import { produce } from './produce';
import { type Place } from './product';

interface Payment {
  key: string;
  system: string;
}

/** Payments whose answers never came, one exception each. */
export async function causeUnknownPayments(place: Place, payments: readonly Payment[]): Promise<void> {
  for (const { key, system } of payments) {
    const { executionId, fencingToken } = await produce(
      place,
      'executions',
      {
        ...{ operation: 'create-payment', requestId: key, target: { system, account: 'north-shop' } },
        payload: { orderNumber: key, amount: 12_000, currency: 'KRW' },
      },
      key,
    );
    await produce(place, `executions/${executionId}/effect-started`, { fencingToken });
    await produce(place, `executions/${executionId}/unknown`, {
      ...{ fencingToken, code: 'TIMED_OUT', message: 'no answer' },
    });
  }
}
