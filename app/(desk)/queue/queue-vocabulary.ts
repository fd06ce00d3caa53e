import { namedWords, type QueryVocabulary, type QueryWord, type QueueQuery } from '@/lib/domain/queue-query';

/** The names that may stand in the search box; null: could not be read, so that any is taken. */
export interface QueueNames {
  operations: readonly string[] | null;
  systems: readonly string[] | null;
  authorities: readonly string[] | null;
  tenants: readonly { tenantId: string; displayName: string }[] | null;
  assignees: readonly { personId: string; displayName: string }[] | null;
  incidents: readonly { incidentId: string; system: string }[] | null;
}

/** As many as the longest menu holds: a longer list may leave names out. */
const MENU = 100;

const OWNERS: readonly QueryWord[] = [
  { value: 'me', word: 'me' },
  { value: 'none', word: 'none' },
];

/** What is in the address already is understood as well: a link may name what no list does any more. */
export function queueVocabulary(names: QueueNames, query: QueueQuery): QueryVocabulary {
  const whole = (words: QueryWord[], complete: boolean, given: readonly string[] | null) => {
    const missing = (given ?? []).filter((value) => words.every((each) => each.value !== value));
    return { words: [...words, ...missing.map((value) => ({ value, word: value }))], complete };
  };
  const same = (list: readonly string[] | null, given: readonly string[] | null) =>
    whole(
      (list ?? []).map((value) => ({ value, word: value })),
      list !== null && list.length < MENU,
      given,
    );
  const people = (names.assignees ?? []).map((each) => ({ value: each.personId, name: each.displayName }));
  const outages = (names.incidents ?? []).map((each) => ({ value: each.incidentId, name: each.system }));
  const one = (value: string | null) => (value === null ? null : [value]);
  return {
    operation: same(names.operations, query.operation),
    system: same(names.systems, query.system),
    // What went wrong is no list: a group opens with it, and it can be copied from there.
    cause: same(null, query.cause),
    authority: same(names.authorities, query.authority),
    tenant: same(names.tenants?.map(({ tenantId }) => tenantId) ?? null, query.tenant),
    assignee: whole(namedWords(people, OWNERS), true, one(query.assignee)),
    incident: whole(namedWords(outages), true, one(query.incident)),
  };
}
