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
import { EXCEPTION_SORTS } from '@/lib/domain/exception-sorts';
import { isColumnChoice, QUEUE_COLUMNS, type QueueColumn } from '@/lib/domain/queue-columns';
import { QUEUE_GROUPINGS } from '@/lib/domain/queue-groups';
import { DUE_TIMES, isAge, LONGEST_TEXT } from '@/lib/domain/queue-query';
import { type ExceptionFilter } from '@/lib/review/exception-filter';

const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

const parseAs = (isMeant: (text: string) => boolean) =>
  createParser({
    parse: (text) => (isMeant(text) ? text : null),
    serialize: (value: string) => value,
  });
const parseAsId = parseAs((text) => ID.test(text));
const parseAsAssignee = parseAs((text) => text === 'me' || text === 'none' || ID.test(text));
/** Text that no key, id or name exceeds. */
const parseAsShortText = parseAs(
  (text) => text.length > 0 && text.length <= LONGEST_TEXT && !text.includes('\0'),
);

const anyColumns = parseAsArrayOf(parseAsStringLiteral(QUEUE_COLUMNS));
/** As a view was saved with; takes the place of the reader's own. */
const parseAsColumns = createParser<QueueColumn[]>({
  parse: (text) => {
    const columns = anyColumns.parse(text);
    return columns !== null && isColumnChoice(columns) ? columns : null;
  },
  serialize: (columns) => anyColumns.serialize(columns),
});

/** Everything that decides what the queue shows; a link shows what its sender saw. */
export const QUEUE_PARAMETERS = {
  kind: parseAsArrayOf(parseAsStringLiteral(EXCEPTION_KINDS)),
  state: parseAsStringLiteral(['closed', 'any']),
  severity: parseAsArrayOf(parseAsStringLiteral(['1', '2', '3', '4'])),
  operation: parseAsArrayOf(parseAsShortText),
  system: parseAsArrayOf(parseAsShortText),
  cause: parseAsArrayOf(parseAsShortText),
  tenant: parseAsArrayOf(parseAsShortText),
  authority: parseAsArrayOf(parseAsShortText),
  assignee: parseAsAssignee,
  age: parseAs(isAge),
  due: parseAsStringLiteral(DUE_TIMES),
  hold: parseAsStringLiteral(['yes', 'no']),
  incident: parseAsId,
  q: parseAsShortText,
  sort: parseAsStringLiteral(EXCEPTION_SORTS),
  cursor: parseAsString,
  open: parseAsId,
  group: parseAsStringLiteral(QUEUE_GROUPINGS),
  columns: parseAsColumns,
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

/**
 * Reads the address strictly: what is not understood is named, never ignored. Other parameters are not ours.
 * @param dayEnds of the reader, for what is due today
 */
export function readQueueAddress(input: AddressInput, dayEnds: string | null = null): ReadQueueAddress {
  const names = misread(input, QUEUE_PARAMETERS);
  if (names.length > 0) return { kind: 'misread', names };
  const address = load(input);
  return { kind: 'read', address, filter: filterOf(address, dayEnds) };
}

function filterOf(address: QueueAddress, dayEnds: string | null): ExceptionFilter {
  return {
    kinds: address.kind ?? [],
    states: address.state === 'any' ? ['OPEN', 'CLOSED'] : [address.state === 'closed' ? 'CLOSED' : 'OPEN'],
    severities: (address.severity ?? []).map((severity) => Number(severity) as 1 | 2 | 3 | 4),
    operations: address.operation ?? [],
    systems: address.system ?? [],
    causes: address.cause ?? [],
    tenants: address.tenant ?? [],
    authorities: address.authority ?? [],
    assignee: address.assignee,
    age: address.age,
    due: address.due,
    // Only where it narrows: it is part of what a cursor is bound to.
    dayEnds: address.due === null ? null : dayEnds,
    held: address.hold === null ? null : address.hold === 'yes',
    incident: address.incident,
    // Blanks around a pasted id are the clipboard's.
    text: address.q?.trim() ?? '',
  };
}
