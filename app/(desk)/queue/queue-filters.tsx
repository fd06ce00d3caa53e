'use client';

import { useTranslations } from 'next-intl';
import { ClearFilters } from '@/components/data-table/clear-filters';
import { FilterBar } from '@/components/data-table/filter-bar';
import { FilterChips } from '@/components/data-table/filter-chips';
import { FilterMenu } from '@/components/data-table/filter-menu';
import { SortMenu } from '@/components/data-table/sort-menu';
import { KIND_LOOK } from '@/components/exception/kind-look';
import { Avatar } from '@/components/person/avatar';
import { ScopeFilters } from '@/components/scope/scope-filters';
import { EXCEPTION_KINDS, SEVERITIES, type ExceptionKind } from '@/lib/domain/exception-kinds';
import { QUEUE_GROUPINGS } from '@/lib/domain/queue-groups';
import { DUE_TIMES, NO_QUERY } from '@/lib/domain/queue-query';
import { visibleText } from '@/lib/domain/visible-text';
import { type QueueFigures } from './queue-figures';
import { QueueSearch } from './queue-search';
import { QueueTabs } from './queue-tabs';
import { type QueueNames } from './queue-vocabulary';
import { useQueueAddress } from './use-queue-address';

interface QueueFiltersProps {
  figures: QueueFigures;
  chosenKinds: readonly ExceptionKind[];
  names: QueueNames;
  me: string;
  defaultSort: string;
}

const AGES = ['1h', '4h', '1d', '7d'] as const;
const FILTERS = Object.keys(NO_QUERY);

/** What narrows the queue; all of it lives in the address. */
export function QueueFilters({ figures, chosenKinds, names, me, defaultSort }: QueueFiltersProps) {
  const t = useTranslations('queue');
  const words = useTranslations('glossary');
  const { address } = useQueueAddress();
  const kinds = EXCEPTION_KINDS.filter((kind) => figures.kinds[kind] !== '0' || chosenKinds.includes(kind));
  const ages =
    address.age === null || (AGES as readonly string[]).includes(address.age) ? AGES : [...AGES, address.age];
  return (
    <FilterBar
      chips={
        <>
          <QueueTabs counts={figures.tabs} />
          <FilterChips
            name="kind"
            label={t('kinds')}
            all={{ label: t('allKinds'), count: figures.total }}
            chips={kinds.map((kind) => ({
              value: kind,
              label: words(`kind.${kind}.label`),
              count: figures.kinds[kind],
              ...KIND_LOOK[kind],
            }))}
          />
        </>
      }
      search={<QueueSearch names={names} />}
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
          count: figures.severity[severity] ?? figures.rest,
        }))}
      />
      <FilterMenu
        multiple
        name="system"
        label={t('filter.system')}
        choices={(names.systems ?? []).map((system) => ({
          value: system,
          label: visibleText(system),
          count: figures.system[system] ?? figures.rest,
        }))}
      />
      <ScopeFilters
        labels={{ operation: t('filter.operation'), tenant: t('filter.tenant') }}
        operations={names.operations ?? []}
        countOf={(operation) => figures.operation[operation] ?? figures.rest}
        tenants={names.tenants ?? []}
      />
      <FilterMenu
        name="assignee"
        label={t('filter.assignee')}
        choices={[
          { value: 'me', label: t('filter.me'), count: figures.tabs.mine },
          { value: 'none', label: t('filter.nobody'), count: figures.tabs.unowned },
          ...(names.assignees ?? [])
            .filter(({ personId }) => personId !== me)
            .map(({ personId, displayName }) => ({
              value: personId,
              label: visibleText(displayName),
              lead: <Avatar personId={personId} name={displayName} className="size-5" />,
            })),
        ]}
      />
      <FilterMenu
        name="due"
        label={t('filter.due')}
        choices={DUE_TIMES.map((due) => ({ value: due, label: t(`query.due.${due}`) }))}
      />
      <FilterMenu
        name="age"
        label={t('filter.age')}
        choices={ages.map((age) => ({
          value: age,
          label: t(age.startsWith('<') ? 'query.age.younger' : 'query.age.older', {
            span: age.replace('<', ''),
          }),
        }))}
      />
      <FilterMenu
        name="group"
        label={t('groups.by')}
        anyLabel={t('groups.off')}
        choices={QUEUE_GROUPINGS.map((by) => ({ value: by, label: t(`groups.choice.${by}`) }))}
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
