import {
  createLoader,
  createSerializer,
  parseAsArrayOf,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server';
import { readStrictly, type AddressInput } from '@/components/data-table/address-text';
import { PERSON_STATES } from '@/lib/domain/person-row';

/** What the address of the people page can say. */
const peopleParameters = {
  state: parseAsArrayOf(parseAsStringLiteral(PERSON_STATES)).withDefault([]),
  cursor: parseAsString,
};

const load = createLoader(peopleParameters);
export const peopleAddress = createSerializer(peopleParameters);

export const readPeopleAddress = (input: AddressInput) =>
  readStrictly(input, peopleParameters, (given) => load(given));
