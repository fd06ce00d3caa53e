// A payload under a policy with types, a default and a field that does not count: many spellings of one order.
import fc from 'fast-check';
import { choices, type Choices } from './choices';
import { spell } from './spell';
import type { Tree } from './tree';

export const ORDER_POLICY = {
  field_types: { amount: 'decimal', due: 'instant', payee: 'nfc' },
  field_defaults: { channel: 'web' },
  exclude_fields: ['receivedAt'],
};

interface Order {
  /** Ten-thousandths. */
  readonly amount: number;
  /** Milliseconds since 1970. */
  readonly due: number;
  readonly payee: string;
  readonly channel: string;
}

export const order: fc.Arbitrary<Order> = fc.record({
  amount: fc.integer({ min: -(10 ** 9), max: 10 ** 9 }),
  due: fc.integer({ min: -(10 ** 12), max: 4 * 10 ** 12 }),
  payee: fc
    .array(fc.constantFrom('각', '산', '상회', 'é', 'e\u0301', 'ｅ', '12', '１２', 'x', '\u212b'), {
      maxLength: 4,
    })
    .map((parts) => parts.join('')),
  channel: fc.constantFrom('web', 'desk'),
});

/** Another order: one of its four facts differs in meaning, not only in spelling. */
export function anotherOrder(value: Order, seed: number): Order {
  return choices(seed).of<Order>([
    { ...value, amount: value.amount + 1 },
    { ...value, due: value.due + 1 },
    { ...value, payee: `${value.payee}１` },
    { ...value, channel: value.channel === 'web' ? 'desk' : 'web' },
  ]);
}

export function spellOrder(value: Order, seed: number): string {
  const pick = choices(seed);
  const members: [string, Tree][] = [
    ['amount', { text: decimal(value.amount, pick) }],
    ['due', { text: instant(value.due, pick) }],
    ['payee', { text: value.payee.normalize(pick.of(['NFC', 'NFD'])) }],
  ];
  if (value.channel !== 'web' || pick.below(2) === 0) members.push(['channel', { text: value.channel }]);
  if (pick.below(2) === 0) members.push(['receivedAt', { number: pick.below(1000) }]);
  return spell({ members }, seed);
}

function decimal(tenThousandths: number, pick: Choices): string {
  const digits = String(Math.abs(tenThousandths)).padStart(5, '0');
  const [whole, fraction] = [digits.slice(0, -4), digits.slice(-4)];
  const short = fraction.replace(/0+$/, '');
  const end = pick.of([`.${fraction}`, `.${fraction}00`, short === '' ? '' : `.${short}`]);
  return `${tenThousandths < 0 ? '-' : pick.of(tenThousandths === 0 ? ['', '-'] : [''])}${pick.of(['', '0', '00'])}${whole}${end}`;
}

function instant(milliseconds: number, pick: Choices): string {
  const minutes = pick.of([0, 0, 540, -480, 840, -840, 345]);
  const local = new Date(milliseconds + minutes * 60_000).toISOString();
  const fraction = local.slice(20, 23);
  const short = fraction.replace(/0+$/, '');
  const parts = [`.${fraction}`, `.${fraction}000`, short === '' ? '' : `.${short}`];
  const size = Math.abs(minutes);
  const two = (count: number) => String(count).padStart(2, '0');
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  return `${local.slice(0, 19)}${pick.of(parts)}${minutes === 0 ? pick.of(['Z', '+00:00', '-00:00']) : offset}`;
}
