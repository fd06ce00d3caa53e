import { getTranslations } from 'next-intl/server';
import { DateFilter } from '@/components/audit/date-filter';
import { FilterMark } from '@/components/audit/filter-mark';
import { ClearFilters } from '@/components/data-table/clear-filters';
import { FilterMenu } from '@/components/data-table/filter-menu';
import { FilterSearch } from '@/components/data-table/filter-search';
import { SortMenu } from '@/components/data-table/sort-menu';
import { ScopeFilters } from '@/components/scope/scope-filters';
import { AUDIT_EVENTS, AUDIT_OUTCOMES } from '@/lib/domain/audit-events';
import { SYSTEM_ACTORS, type SystemActor } from '@/lib/domain/system-actors';
import { visibleText } from '@/lib/domain/visible-text';
import { listAuditActors } from '@/lib/review/list-audit-actors';
import { listOperations } from '@/lib/review/list-operations';
import { listTenants } from '@/lib/review/list-tenants';
import { type ReadContext } from '@/lib/review/read-context';
import { AUDIT_FILTER_NAMES, type AuditAddress } from './search-params';

/** Everything that narrows the audit. Execution, exception and request come by links from their pages and show as marks. */
export async function AuditFilters({ ctx, address }: { ctx: ReadContext; address: AuditAddress }) {
  const [t, actors, operations, tenants] = await Promise.all([
    getTranslations('audit'),
    listAuditActors(ctx),
    listOperations(ctx),
    listTenants(ctx),
  ]);
  const systems = Object.keys(SYSTEM_ACTORS) as SystemActor[];
  const marks = (['execution', 'exception', 'request'] as const).flatMap((name) => {
    const value = address[name];
    return value === null ? [] : [{ name, label: t(`filter.${name}`, { id: value.slice(-12) }) }];
  });
  const ofStory =
    address.story === null
      ? []
      : [{ name: 'story' as const, label: t('filter.story', { number: address.story }) }];
  return (
    <div className="flex flex-wrap items-center gap-2">
      <FilterSearch
        name="q"
        label={t('filter.search')}
        placeholder={t('filter.searchHint')}
        describedBy="audit-search-finds"
      />
      <FilterMenu
        name="event"
        label={t('filter.event')}
        multiple
        choices={AUDIT_EVENTS.map((event) => ({ value: event, label: t(`event.${event}`) }))}
      />
      <FilterMenu
        name="outcome"
        label={t('filter.outcome')}
        multiple
        choices={AUDIT_OUTCOMES.map((outcome) => ({ value: outcome, label: t(`outcome.${outcome}`) }))}
      />
      <FilterMenu
        name="person"
        label={t('filter.person')}
        choices={[
          ...actors.map(({ actorId, displayName }) => ({ value: actorId, label: visibleText(displayName) })),
          ...systems.map((system) => ({
            value: system,
            label: `${t('actor.system')} · ${t(`actor.${SYSTEM_ACTORS[system]}`)}`,
          })),
        ]}
      />
      <ScopeFilters
        labels={{ operation: t('filter.operation'), tenant: t('filter.tenant') }}
        operations={operations}
        tenants={tenants}
      />
      <div role="group" aria-label={t('filter.time')} className="flex flex-wrap items-center gap-2">
        <DateFilter name="since" label={t('filter.since')} edge="since" />
        <DateFilter name="until" label={t('filter.until')} edge="until" />
      </div>
      {[...marks, ...ofStory].map(({ name, label }) => (
        <FilterMark key={name} name={name} label={label} removal={t('filter.remove', { what: label })} />
      ))}
      <ClearFilters names={AUDIT_FILTER_NAMES} />
      <p id="audit-search-finds" className="order-last basis-full text-xs text-ink-muted">
        {t('filter.searchFinds')}
      </p>
      <div className="md:hidden">
        <SortMenu
          defaultSort="-number"
          choices={[
            { value: '-number', label: t('sort.newest') },
            { value: 'number', label: t('sort.oldest') },
          ]}
        />
      </div>
    </div>
  );
}
