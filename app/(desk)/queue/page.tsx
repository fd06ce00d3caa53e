import { type Metadata } from 'next';
import { cookies } from 'next/headers';
import { getTranslations } from 'next-intl/server';
import { BulkBar } from '@/components/bulk/bulk-bar';
import { JobBand } from '@/components/bulk-job/job-band';
import { SelectionProvider } from '@/components/bulk/selection';
import { ExceptionsTable } from '@/components/exception/exceptions-table';
import { IncidentBand } from '@/components/incident/incident-band';
import { OpenReviews } from '@/components/approval/open-reviews';
import { AddressRefusal } from '@/components/data-table/address-refusal';
import { Pager } from '@/components/data-table/pager';
import { SearchTooBroad } from '@/components/data-table/search-too-broad';
import { TableAddress } from '@/components/data-table/table-address';
import { LiveRefresh } from '@/components/shell/live-refresh';
import { PageHeader } from '@/components/ui/page-header';
import { requireReader } from '@/lib/access/actor';
import { hasRoleFor } from '@/lib/domain/permissions';
import { listOpenReviews } from '@/lib/review/break-glass/read-uses';
import { listJobsUnderWay } from '@/lib/review/bulk/list-bulk-jobs';
import { ZONE_COOKIE, chosenZone } from '@/components/shell/preferences';
import { endOfDay } from '@/lib/domain/calendar-day';
import { countFacets } from '@/lib/review/count-facets';
import { listAuthorities } from '@/lib/review/list-authorities';
import { listSystems } from '@/lib/review/list-systems';
import { countExceptions } from '@/lib/review/count-exceptions';
import { deskContext } from '@/lib/review/desk-context';
import { PAGE_SIZE } from '@/lib/review/keyset';
import { listAssignees } from '@/lib/review/list-assignees';
import { listExceptions } from '@/lib/review/list-exceptions';
import { listOperations } from '@/lib/review/list-operations';
import { listTenants } from '@/lib/review/list-tenants';
import { listIncidents } from '@/lib/review/incidents/list-incidents';
import { orNull } from '@/lib/review/or-null';
import { readContext, type ReadContext } from '@/lib/review/read-context';
import { recordSearch } from '@/lib/review/record-search';
import { BROADEST_SEARCH } from '@/lib/review/search-scope';
import { actOnManyAction, previewLinksAction } from './actions';
import { prepareBulkJobAction, settleBulkJobAction } from './jobs/actions';
import { matchesOf } from './matches';
import { QueueEmpty } from './queue-empty';
import { queueFigures } from './queue-figures';
import { QueueFilters } from './queue-filters';
import { readQueueAddress, writeQueueAddress } from './search-params';

const DEFAULT_SORT = 'severity';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('queue'))('title') };
}

export default async function QueuePage({ searchParams }: PageProps<'/queue'>) {
  const reader = await requireReader();
  const { actor } = reader;
  const [params, jar] = await Promise.all([searchParams, cookies()]);
  const read = readQueueAddress(params, endOfDay(Date.now(), chosenZone(jar.get(ZONE_COOKIE)?.value)));
  const t = await getTranslations('queue');
  if (read.kind === 'misread')
    return <AddressRefusal title={t('title')} names={read.names} restart="/queue" />;
  const { address, filter } = read;
  const ctx = readContext(actor);
  await recordSearch(deskContext(reader), 'queue', filter.text);
  const [answer, counts, facets, names, openReviews, jobs] = await Promise.all([
    listExceptions(ctx, {
      filter,
      sort: address.sort ?? DEFAULT_SORT,
      cursor: address.cursor,
      size: PAGE_SIZE,
    }),
    orNull('exceptions per kind', countExceptions(ctx, filter)),
    orNull('facets', countFacets(ctx, filter)),
    readNames(ctx),
    // told to managers where they look first.
    orNull('open reviews', actor.roles.includes('MANAGER') ? listOpenReviews(ctx) : Promise.resolve([])),
    orNull('bulk jobs', listJobsUnderWay(ctx)),
  ]);
  if (answer.kind === 'cursor-refused') {
    return (
      <AddressRefusal
        title={t('title')}
        restart={`/queue${writeQueueAddress({ ...address, cursor: null })}`}
      />
    );
  }
  const canAct = hasRoleFor(actor, 'exception.assign');
  return (
    <TableAddress>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={<LiveRefresh renderedAt={new Date().toISOString()} />}
      />
      <OpenReviews uses={openReviews ?? []} />
      <IncidentBand incidents={names.incidents ?? []} />
      <JobBand jobs={jobs ?? []} />
      <QueueFilters
        figures={queueFigures(counts, facets)}
        chosenKinds={filter.kinds}
        names={names}
        me={actor.personId}
        defaultSort={DEFAULT_SORT}
      />
      {answer.kind === 'page' ? (
        <>
          <SelectionProvider rows={answer.rows}>
            {canAct && (
              <BulkBar
                me={actor.personId}
                assignees={names.assignees ?? []}
                act={actOnManyAction}
                preview={previewLinksAction}
                matches={matchesOf(address, counts)}
                job={{ prepare: prepareBulkJobAction, settle: settleBulkJobAction }}
              />
            )}
            <ExceptionsTable
              rows={answer.rows}
              me={actor.personId}
              showTenant={actor.tenantIds.length > 1}
              defaultSort={DEFAULT_SORT}
              selectable={canAct}
              empty={<QueueEmpty filter={filter} actor={actor} />}
            />
          </SelectionProvider>
          <Pager shown={answer.rows.length} next={answer.next} previous={answer.previous} />
        </>
      ) : (
        <SearchTooBroad limit={BROADEST_SEARCH} />
      )}
    </TableAddress>
  );
}

/** What filters, search box and menus name; each list may fail on its own. */
async function readNames(ctx: ReadContext) {
  const [operations, systems, authorities, assignees, tenants, incidents] = await Promise.all([
    orNull('operations', listOperations(ctx)),
    orNull('systems', listSystems(ctx)),
    orNull('authorities', listAuthorities(ctx)),
    orNull('assignees', listAssignees(ctx)),
    orNull('tenants', listTenants(ctx)),
    orNull('incidents', listIncidents(ctx)),
  ]);
  return { operations, systems, authorities, assignees, tenants, incidents };
}
