import { EXCEPTION_KINDS, type ExceptionKind } from '@/lib/domain/exception-kinds';
import { type BoundedCount } from '@/lib/review/bounded-count';
import { type ExceptionCounts } from '@/lib/review/count-exceptions';
import { type FacetCounts, type QueueTab } from '@/lib/review/count-facets';

/** The queue's figures as they are shown: a dash where one could not be read, never zero. */
export interface QueueFigures {
  total: string;
  kinds: Readonly<Record<ExceptionKind, string>>;
  tabs: Readonly<Record<QueueTab, string>>;
  severity: Readonly<Record<string, string>>;
  operation: Readonly<Record<string, string>>;
  system: Readonly<Record<string, string>>;
  /** Of a value that has no figure of its own. */
  rest: string;
}

const UNREAD = '–';
const shown = (figure: BoundedCount | undefined) =>
  figure === undefined ? UNREAD : `${figure.count}${figure.more ? '+' : ''}`;
const byValue = (figures: ReadonlyMap<string, BoundedCount> | undefined) =>
  Object.fromEntries([...(figures ?? [])].map(([value, figure]) => [value, shown(figure)]));

export function queueFigures(counts: ExceptionCounts | null, facets: FacetCounts | null): QueueFigures {
  const tab = (name: QueueTab) => shown(facets?.tabs[name]);
  return {
    total: shown(counts?.total),
    kinds: Object.fromEntries(
      EXCEPTION_KINDS.map((kind) => [kind, shown(counts?.byKind[kind])]),
    ) as QueueFigures['kinds'],
    tabs: {
      all: tab('all'),
      mine: tab('mine'),
      unowned: tab('unowned'),
      overdue: tab('overdue'),
      held: tab('held'),
    },
    severity: byValue(facets?.facets.severity),
    operation: byValue(facets?.facets.operation),
    system: byValue(facets?.facets.system),
    rest: facets === null || facets.partial ? UNREAD : '0',
  };
}
