import {
  createLoader,
  createSerializer,
  parseAsArrayOf,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server';
import { TOKEN_STATES } from '@/lib/domain/token-row';

/** What the address of the tokens page can say. */
const tokenParameters = {
  state: parseAsArrayOf(parseAsStringLiteral(TOKEN_STATES)).withDefault([]),
  cursor: parseAsString,
};

export const loadTokenAddress = createLoader(tokenParameters);
export const tokenAddress = createSerializer(tokenParameters);
