import {
  createLoader,
  createParser,
  createSerializer,
  parseAsArrayOf,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server';
import { misread, type AddressInput } from '@/components/data-table/address-text';
import { EXECUTION_STATES } from '@/lib/domain/states';
import { EXECUTION_SORTS, type ExecutionFilter } from '@/lib/review/list-executions';

const parseAsShortText = createParser({
  parse: (text) => (text.length > 0 && text.length <= 300 && !text.includes('\0') ? text : null),
  serialize: (value: string) => value,
});

const PARAMETERS = {
  state: parseAsArrayOf(parseAsStringLiteral(EXECUTION_STATES)),
  operation: parseAsArrayOf(parseAsShortText),
  tenant: parseAsArrayOf(parseAsShortText),
  q: parseAsShortText,
  sort: parseAsStringLiteral(EXECUTION_SORTS),
  cursor: parseAsString,
  density: parseAsStringLiteral(['comfortable', 'compact']),
};

const load = createLoader(PARAMETERS);

export const writeExecutionsAddress = createSerializer(PARAMETERS);

/** Reads the address of the list strictly: what is not understood is named, never ignored. */
export function readExecutionsAddress(input: AddressInput) {
  const names = misread(input, PARAMETERS);
  if (names.length > 0) return { kind: 'misread', names } as const;
  const address = load(input);
  const filter: ExecutionFilter = {
    states: address.state ?? [],
    operations: address.operation ?? [],
    tenants: address.tenant ?? [],
    text: address.q?.trim() ?? '',
  };
  return { kind: 'read', address, filter } as const;
}
