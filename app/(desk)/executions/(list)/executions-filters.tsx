'use client';

import { useTranslations } from 'next-intl';
import { ClearFilters } from '@/components/data-table/clear-filters';
import { FilterBar } from '@/components/data-table/filter-bar';
import { FilterMenu } from '@/components/data-table/filter-menu';
import { FilterSearch } from '@/components/data-table/filter-search';
import { SortMenu } from '@/components/data-table/sort-menu';
import { STATE_LOOK } from '@/components/execution/state-look';
import { ScopeFilters } from '@/components/scope/scope-filters';
import { TONE_TEXT } from '@/components/ui/tone';
import { EXECUTION_STATES } from '@/lib/domain/states';

interface ExecutionsFiltersProps {
  operations: readonly string[];
  tenants: readonly { tenantId: string; displayName: string }[];
  defaultSort: string;
}

/** What narrows the list of executions; all of it lives in the address. */
export function ExecutionsFilters({ operations, tenants, defaultSort }: ExecutionsFiltersProps) {
  const t = useTranslations('executions');
  const words = useTranslations('glossary.state');
  return (
    <FilterBar
      search={<FilterSearch name="q" label={t('filter.searchLabel')} placeholder={t('filter.search')} />}
      sort={
        <SortMenu
          defaultSort={defaultSort}
          choices={[
            { value: '-created', label: t('sort.newest') },
            { value: 'created', label: t('sort.oldest') },
          ]}
        />
      }
      clear={<ClearFilters names={['state', 'operation', 'tenant', 'q']} />}
    >
      <FilterMenu
        multiple
        name="state"
        label={t('filter.state')}
        choices={EXECUTION_STATES.map((state) => {
          const { icon: Icon, tone } = STATE_LOOK[state];
          return {
            value: state,
            label: words(`${state}.label`),
            lead: <Icon aria-hidden className={`size-4 ${TONE_TEXT[tone]}`} />,
          };
        })}
      />
      <ScopeFilters
        labels={{ operation: t('filter.operation'), tenant: t('filter.tenant') }}
        operations={operations}
        tenants={tenants}
      />
    </FilterBar>
  );
}
