// What is asked for in the evidence suite, and what goes wrong with each call: all of it follows from the seed.
import fc from 'fast-check';
import type { OperationName, Payload } from '@/lib/sandbox/automations/intent';
import type { SystemName } from '@/lib/sandbox/settings';
import type { Fault } from '@/lib/sandbox/systems/fault';

/** Part of the calls that an outside system spoils. */
export const FAULT_RATE = 0.3;

/** What a colleague does by hand, knowing nothing of the automation. */
export type ByHand = 'REVERSES_IT' | 'ENTERS_IT_ELSEWHERE';

export interface Case {
  readonly key: string;
  readonly operation: OperationName;
  readonly system: SystemName;
  readonly account: string;
  readonly payload: Payload;
  readonly faults: readonly Fault[];
  readonly byHand: ByHand | null;
}

/** `late`: seconds by which requests may arrive late and effects may stay invisible, at most. */
export interface Late {
  readonly late: number;
}

interface Drawn {
  readonly operation: OperationName;
  readonly amount: number;
  readonly method: 'card' | 'bank-transfer' | 'expired-card';
  readonly spoilt: boolean;
  readonly way: number;
  readonly seconds: number;
}

// Without its liking for small numbers, which would spoil more calls than is told.
const drawn: fc.Arbitrary<Drawn> = fc.record({
  operation: fc.constantFrom<OperationName>(
    ...(['create-crm-record', 'register-monthly-report', 'delete-crm-record'] as const),
    ...(['send-receipt-mail', 'create-payment', 'create-payment'] as const),
  ),
  amount: fc.integer({ min: 1_000, max: 900_000 }),
  method: fc.constantFrom('card', 'card', 'card', 'card', 'bank-transfer', 'expired-card'),
  spoilt: fc.noBias(fc.integer({ min: 0, max: 99 })).map((roll) => roll < FAULT_RATE * 100),
  way: fc.noBias(fc.integer({ min: 0, max: 15 })),
  seconds: fc.noBias(fc.integer({ min: 5, max: 100 })).map((percent) => percent / 100),
});

const DROP: Fault = { kind: 'drop-after-commit', seconds: 0 };
const plain = (kind: Fault['kind']): Fault => ({ kind, seconds: 0 });

/** How a spoilt call goes wrong; each leaves the caller without an answer, but for the slow one. */
function faultsOf({ way, seconds, operation }: Drawn, late: number): readonly Fault[] {
  const for_ = Math.round(seconds * late * 10) / 10;
  const hidden: Fault = { kind: 'visibility-delay', seconds: for_ };
  const arriving: Fault = { kind: 'late-arrival', seconds: for_ };
  const ways: readonly (readonly Fault[])[] = [
    [DROP],
    [plain('hang')],
    [plain('error-after')],
    [plain('error-before')],
    [plain('error-before')],
    [plain('hang-before')],
    ...[[arriving], [arriving], [arriving, hidden], [arriving, hidden]],
    ...Array.from({ length: 3 }, () => [hidden, DROP]),
    // A deletion cannot happen twice.
    operation === 'delete-crm-record' ? [DROP] : [plain('duplicate'), DROP],
    operation === 'delete-crm-record' ? [plain('hang')] : [plain('duplicate'), hidden, DROP],
    [{ kind: 'delay', seconds: 0.3 }],
  ];
  return ways[way] ?? [];
}

const SYSTEM: Record<OperationName, { system: SystemName; account: string }> = {
  'create-crm-record': { system: 'crm', account: 'north-sales' },
  'register-monthly-report': { system: 'crm', account: 'north-reports' },
  'delete-crm-record': { system: 'crm', account: 'north-sales' },
  'send-receipt-mail': { system: 'mail', account: 'north-desk' },
  'create-payment': { system: 'payment', account: 'north-shop' },
};

/** An account of a colleague in another department. */
export const ELSEWHERE = 'south-sales';

/** Every this many: the payment is hidden at first and taken back; the record was never made, and another has its reference. */
const REVERSED_EVERY = 40;
const ELSEWHERE_EVERY = 180;

/**
 * The `index`-th case of a seed.
 * @param oldRecord the record that a deletion is about; made for it before
 */
export function drawCase(seed: number, index: number, { late }: Late, oldRecord: string): Case {
  const [draw] = fc.sample(drawn, { seed: (seed ^ Math.imul(index + 1, 0x9e3779b1)) | 0, numRuns: 1 });
  if (draw === undefined) throw new Error('bug: no case was drawn');
  const key = `evidence-${seed}-${index}`;
  if (index % REVERSED_EVERY === REVERSED_EVERY - 1) {
    const hidden: Fault = { kind: 'visibility-delay', seconds: late };
    return {
      ...caseOf({ ...draw, operation: 'create-payment', method: 'card' }, key, oldRecord),
      ...{ faults: [hidden, DROP], byHand: 'REVERSES_IT' },
    };
  }
  if (index % ELSEWHERE_EVERY === 58) {
    return {
      ...caseOf({ ...draw, operation: 'create-crm-record' }, key, oldRecord),
      ...{ faults: [plain('error-before')], byHand: 'ENTERS_IT_ELSEWHERE' },
    };
  }
  return { ...caseOf(draw, key, oldRecord), faults: draw.spoilt ? faultsOf(draw, late) : [] };
}

function caseOf(draw: Drawn, key: string, oldRecord: string): Case {
  const { system, account } = SYSTEM[draw.operation];
  const payload = payloadOf(draw, account, key, oldRecord);
  return { key, operation: draw.operation, system, account, payload, faults: [], byHand: null };
}

function payloadOf(draw: Drawn, account: string, key: string, recordId: string): Payload {
  const { operation, amount, method } = draw;
  switch (operation) {
    case 'create-payment':
      return { account, orderNumber: key, amount, currency: 'KRW', method };
    case 'send-receipt-mail':
      return {
        account,
        to: 'ada.moreau@customer.test',
        subject: `Receipt ${key}`,
        text: `Amount: ${amount}`,
      };
    case 'delete-crm-record':
      return { recordId };
    case 'create-crm-record':
    case 'register-monthly-report':
      return { account, name: key, amount, currency: 'KRW' };
    default: {
      const impossible: never = operation;
      throw new Error(`bug: unknown operation ${String(impossible)}`);
    }
  }
}
