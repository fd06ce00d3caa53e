import {
  createLoader,
  createSerializer,
  parseAsArrayOf,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server';
import { readStrictly, type AddressInput } from '@/components/data-table/address-text';
import { TOKEN_STATES } from '@/lib/domain/token-row';

/** What the address of the tokens page can say. */
const tokenParameters = {
  state: parseAsArrayOf(parseAsStringLiteral(TOKEN_STATES)).withDefault([]),
  cursor: parseAsString,
};

const load = createLoader(tokenParameters);
export const tokenAddress = createSerializer(tokenParameters);

export const readTokenAddress = (input: AddressInput) =>
  readStrictly(input, tokenParameters, (given) => load(given));
