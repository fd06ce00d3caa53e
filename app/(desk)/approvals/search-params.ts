import {
  createLoader,
  createSerializer,
  parseAsArrayOf,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server';
import { readStrictly, type AddressInput } from '@/components/data-table/address-text';
import { REQUEST_KINDS, REQUEST_STATES } from '@/lib/domain/decisions';

/** What the address of the approvals can say. */
const approvalParameters = {
  state: parseAsArrayOf(parseAsStringLiteral(REQUEST_STATES)).withDefault([]),
  kind: parseAsArrayOf(parseAsStringLiteral(REQUEST_KINDS)).withDefault([]),
  cursor: parseAsString,
};

const load = createLoader(approvalParameters);
export const approvalAddress = createSerializer(approvalParameters);

/** The names of everything that narrows, for "clear filters". */
export const APPROVAL_FILTER_NAMES = ['state', 'kind'] as const;

export const readApprovalAddress = (input: AddressInput) =>
  readStrictly(input, approvalParameters, (given) => load(given));
