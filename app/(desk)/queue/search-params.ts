import {
  createLoader,
  createParser,
  createSerializer,
  parseAsArrayOf,
  parseAsString,
  parseAsStringLiteral,
  type inferParserType,
} from 'nuqs/server';
import { misread, type AddressInput } from '@/components/data-table/address-text';
import { EXCEPTION_KINDS } from '@/lib/domain/exception-kinds';
import { AGE_LIMITS, type AgeLimit, type ExceptionFilter } from '@/lib/review/exception-filter';
import { EXCEPTION_SORTS } from '@/lib/review/list-exceptions';

const AGES = Object.keys(AGE_LIMITS) as AgeLimit[];
const PERSON = /^(?:me|none|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;

const parseAsAssignee = createParser({
  parse: (text) => (PERSON.test(text) ? text : null),
  serialize: (value: string) => value,
});
/** Text that no key, id or name exceeds. */
const parseAsShortText = createParser({
  parse: (text) => (text.length > 0 && text.length <= 300 && !text.includes('\0') ? text : null),
  serialize: (value: string) => value,
});

/** Everything that decides what the queue shows; a link shows what its sender saw. */
const QUEUE_PARAMETERS = {
  kind: parseAsArrayOf(parseAsStringLiteral(EXCEPTION_KINDS)),
  state: parseAsStringLiteral(['closed', 'any']),
  severity: parseAsArrayOf(parseAsStringLiteral(['1', '2', '3', '4'])),
  operation: parseAsArrayOf(parseAsShortText),
  tenant: parseAsArrayOf(parseAsShortText),
  assignee: parseAsAssignee,
  age: parseAsStringLiteral(AGES),
  q: parseAsShortText,
  sort: parseAsStringLiteral(EXCEPTION_SORTS),
  cursor: parseAsString,
  density: parseAsStringLiteral(['comfortable', 'compact']),
};

export type QueueAddress = inferParserType<typeof QUEUE_PARAMETERS>;

const load = createLoader(QUEUE_PARAMETERS);

/** `?kind=…` of the queue; the opposite of `readQueueAddress`. */
export const writeQueueAddress = createSerializer(QUEUE_PARAMETERS);

export type ReadQueueAddress =
  | { kind: 'read'; address: QueueAddress; filter: ExceptionFilter }
  /** The parameters that say something that does not exist. Dropping them would show rows nobody asked for. */
  | { kind: 'misread'; names: string[] };

/** Reads the address strictly: what is not understood is named, never ignored. Other parameters are not ours. */
export function readQueueAddress(input: AddressInput): ReadQueueAddress {
  const names = misread(input, QUEUE_PARAMETERS);
  if (names.length > 0) return { kind: 'misread', names };
  const address = load(input);
  return { kind: 'read', address, filter: filterOf(address) };
}

function filterOf(address: QueueAddress): ExceptionFilter {
  return {
    kinds: address.kind ?? [],
    states: address.state === 'any' ? ['OPEN', 'CLOSED'] : [address.state === 'closed' ? 'CLOSED' : 'OPEN'],
    severities: (address.severity ?? []).map((severity) => Number(severity) as 1 | 2 | 3 | 4),
    operations: address.operation ?? [],
    tenants: address.tenant ?? [],
    assignee: address.assignee,
    olderThan: address.age,
    // Blanks around a pasted id are the clipboard's.
    text: address.q?.trim() ?? '',
  };
}
