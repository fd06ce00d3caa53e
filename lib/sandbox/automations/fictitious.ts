import { type PrincipalName } from './intent';

/** Everything here is invented. Addresses end in `.test`, which no mail ever reaches (RFC 6761). */
const PEOPLE = [
  { name: '김하나', address: 'hana.kim@customer.test' },
  { name: 'Ada Moreau', address: 'ada.moreau@customer.test' },
  { name: '박도윤', address: 'doyun.park@customer.test' },
  { name: 'Jonas Weber', address: 'jonas.weber@customer.test' },
  { name: '이서연', address: 'seoyeon.lee@customer.test' },
  { name: 'Priya Nair', address: 'priya.nair@customer.test' },
  { name: '최민준', address: 'minjun.choi@customer.test' },
  { name: 'Lucia Romero', address: 'lucia.romero@customer.test' },
] as const;

export interface Fiction {
  name: string;
  address: string;
  /** Whole won. */
  amount: number;
  /** Six digits for order and inquiry numbers. */
  number: string;
}

/** A customer, an amount and a number that follow from the seed alone. */
export function fictionOf(seed: number): Fiction {
  const person = PEOPLE[seed % PEOPLE.length] ?? PEOPLE[0];
  return { ...person, amount: 9_000 + (seed % 190) * 1_000, number: String(100_000 + (seed % 900_000)) };
}

export type AccountUse = 'sales' | 'desk' | 'shop' | 'reports';

/** The account of a tenant in an external system, for example `north-shop`. */
export function accountOf(principal: PrincipalName | 'north-sql', use: AccountUse): string {
  return `${principal === 'south-automation' ? 'south' : 'north'}-${use}`;
}
