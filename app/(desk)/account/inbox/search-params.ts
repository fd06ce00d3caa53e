import { createLoader, createSerializer, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { readStrictly, type AddressInput } from '@/components/data-table/address-text';

/** What the address of the inbox can say. */
const inboxParameters = {
  show: parseAsStringLiteral(['unread']),
  cursor: parseAsString,
};

const load = createLoader(inboxParameters);
export const inboxAddress = createSerializer(inboxParameters);

export const readInboxAddress = (input: AddressInput) =>
  readStrictly(input, inboxParameters, (given) => load(given));
