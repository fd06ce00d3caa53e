import {
  createLoader,
  createParser,
  createSerializer,
  parseAsArrayOf,
  parseAsString,
  parseAsStringLiteral,
  type inferParserType,
} from 'nuqs/server';
import { readStrictly, type AddressInput } from '@/components/data-table/address-text';
import { AUDIT_EVENTS, AUDIT_OUTCOMES } from '@/lib/domain/audit-events';
import { normalizeInstant } from '@/lib/domain/time';
import { type AuditFilter } from '@/lib/review/audit-filter';
import { AUDIT_SORTS } from '@/lib/review/list-audit-events';
import { NUMBER } from './[number]/event-number';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/;
/** Characters; more is no name of ours. */
const LONGEST = 300;

/** A text in one form only; anything else is not understood. */
const matching = (fits: (text: string) => boolean) =>
  createParser({ parse: (text) => (fits(text) ? text : null), serialize: (text: string) => text });

// U+0000 can be in no stored text, and PostgreSQL takes none as a value.
const text = matching((value) => value.length <= LONGEST && !value.includes('\0'));
const id = matching((value) => UUID.test(value));
const instant = matching((value) => INSTANT.test(value) && normalizeInstant(value) !== null);

/** What the address of the audit can say. */
const auditParameters = {
  q: text.withDefault(''),
  event: parseAsArrayOf(parseAsStringLiteral(AUDIT_EVENTS)).withDefault([]),
  outcome: parseAsArrayOf(parseAsStringLiteral(AUDIT_OUTCOMES)).withDefault([]),
  person: text,
  operation: parseAsArrayOf(text).withDefault([]),
  tenant: parseAsArrayOf(text).withDefault([]),
  execution: id,
  exception: id,
  request: id,
  story: matching((value) => NUMBER.test(value)),
  since: instant,
  until: instant,
  scope: parseAsStringLiteral(['words']),
  searches: parseAsStringLiteral(['shown']),
  sort: parseAsStringLiteral(AUDIT_SORTS).withDefault('-number'),
  cursor: parseAsString,
};

export type AuditAddress = inferParserType<typeof auditParameters>;

const load = createLoader(auditParameters);
export const auditAddress = createSerializer(auditParameters);

export const readAuditAddress = (input: AddressInput) =>
  readStrictly(input, auditParameters, (given) => load(given));

/** The names of everything that narrows, for "clear filters". */
export const AUDIT_FILTER_NAMES = [
  'q',
  'scope',
  'searches',
  'event',
  'outcome',
  'person',
  'operation',
  'tenant',
  'execution',
  'exception',
  'request',
  'story',
  'since',
  'until',
] as const;

export function filterOf(address: AuditAddress): AuditFilter {
  return {
    events: address.event,
    outcomes: address.outcome,
    actorId: address.person,
    operations: address.operation,
    tenants: address.tenant,
    executionId: address.execution,
    exceptionId: address.exception,
    approvalRequestId: address.request,
    storyOf: address.story,
    since: address.since,
    until: address.until,
    text: address.q.trim(),
    scope: address.scope,
    hidden: address.searches === 'shown' ? null : 'searches',
  };
}
