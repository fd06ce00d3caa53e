import {
  createLoader,
  createSerializer,
  parseAsArrayOf,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server';
import { PERSON_STATES } from '@/lib/domain/person-row';

/** What the address of the people page can say. */
const peopleParameters = {
  state: parseAsArrayOf(parseAsStringLiteral(PERSON_STATES)).withDefault([]),
  cursor: parseAsString,
};

export const loadPeopleAddress = createLoader(peopleParameters);
export const peopleAddress = createSerializer(peopleParameters);
