'use client';

import { useTranslations } from 'next-intl';
import { ClearFilters } from '@/components/data-table/clear-filters';
import { FilterBar } from '@/components/data-table/filter-bar';
import { FilterChips } from '@/components/data-table/filter-chips';
import { FilterMenu } from '@/components/data-table/filter-menu';
import { FilterSearch } from '@/components/data-table/filter-search';
import { SortMenu } from '@/components/data-table/sort-menu';
import { KIND_LOOK } from '@/components/exception/kind-look';
import { Avatar } from '@/components/person/avatar';
import { ScopeFilters } from '@/components/scope/scope-filters';
import { EXCEPTION_KINDS, SEVERITIES, type ExceptionKind } from '@/lib/domain/exception-kinds';
import { visibleText } from '@/lib/domain/visible-text';

interface Figure {
  count: number;
  more: boolean;
}

interface QueueFiltersProps {
  /** Null when they could not be read: shown as a dash, never as zero. */
  counts: { total: Figure; byKind: Record<ExceptionKind, Figure> } | null;
  chosenKinds: readonly ExceptionKind[];
  operations: readonly string[];
  assignees: readonly { personId: string; displayName: string }[];
  tenants: readonly { tenantId: string; displayName: string }[];
  defaultSort: string;
}

const AGES = ['5m', '1h', '4h', '1d', '7d'] as const;
const FILTERS = ['kind', 'state', 'severity', 'operation', 'tenant', 'assignee', 'age', 'q'] as const;

const shown = (figure: Figure | undefined) =>
  figure === undefined ? '–' : `${figure.count}${figure.more ? '+' : ''}`;

/** What narrows the queue; all of it lives in the address. */
export function QueueFilters({
  counts,
  chosenKinds,
  operations,
  assignees,
  tenants,
  defaultSort,
}: QueueFiltersProps) {
  const t = useTranslations('queue');
  const words = useTranslations('glossary');
  const kinds = EXCEPTION_KINDS.filter(
    (kind) => counts === null || counts.byKind[kind].count > 0 || chosenKinds.includes(kind),
  );
  return (
    <FilterBar
      chips={
        <FilterChips
          name="kind"
          label={t('kinds')}
          all={{ label: t('allKinds'), count: shown(counts?.total) }}
          chips={kinds.map((kind) => ({
            value: kind,
            label: words(`kind.${kind}.label`),
            count: shown(counts?.byKind[kind]),
            ...KIND_LOOK[kind],
          }))}
        />
      }
      search={<FilterSearch name="q" label={t('filter.searchLabel')} placeholder={t('filter.search')} />}
      sort={<QueueSort defaultSort={defaultSort} />}
      clear={<ClearFilters names={FILTERS} />}
    >
      <FilterMenu
        name="state"
        label={t('filter.state')}
        anyLabel={t('filter.open')}
        choices={[
          { value: 'closed', label: t('filter.closed') },
          { value: 'any', label: t('filter.anyState') },
        ]}
      />
      <FilterMenu
        multiple
        name="severity"
        label={t('filter.severity')}
        choices={SEVERITIES.map((severity) => ({
          value: String(severity),
          label: words(`severity.${severity}.label`),
        }))}
      />
      <ScopeFilters
        labels={{ operation: t('filter.operation'), tenant: t('filter.tenant') }}
        operations={operations}
        tenants={tenants}
      />
      <FilterMenu
        name="assignee"
        label={t('filter.assignee')}
        choices={[
          { value: 'me', label: t('filter.me') },
          { value: 'none', label: t('filter.nobody') },
          ...assignees.map(({ personId, displayName }) => ({
            value: personId,
            label: visibleText(displayName),
            lead: <Avatar personId={personId} name={displayName} className="size-5" />,
          })),
        ]}
      />
      <FilterMenu
        name="age"
        label={t('filter.age')}
        choices={AGES.map((age) => ({ value: age, label: t(`filter.olderThan.${age}`) }))}
      />
    </FilterBar>
  );
}

function QueueSort({ defaultSort }: { defaultSort: string }) {
  const t = useTranslations('queue.sort');
  return (
    <SortMenu
      defaultSort={defaultSort}
      choices={[
        { value: 'severity', label: t('urgency') },
        { value: 'due', label: t('due') },
        { value: 'opened', label: t('oldest') },
        { value: '-opened', label: t('newest') },
      ]}
    />
  );
}
