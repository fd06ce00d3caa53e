import { type ReactNode } from 'react';
import { getTranslations } from 'next-intl/server';
import { BulkBar } from '@/components/bulk/bulk-bar';
import { JobBand } from '@/components/bulk-job/job-band';
import { SelectionProvider } from '@/components/bulk/selection';
import { IncidentBand } from '@/components/incident/incident-band';
import { OpenReviews } from '@/components/approval/open-reviews';
import { type AddressInput } from '@/components/data-table/address-text';
import { AddressRefusal } from '@/components/data-table/address-refusal';
import { Pager } from '@/components/data-table/pager';
import { SearchTooBroad } from '@/components/data-table/search-too-broad';
import { TableAddress } from '@/components/data-table/table-address';
import { LiveRefresh } from '@/components/shell/live-refresh';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { requireReader } from '@/lib/access/actor';
import { type Actor } from '@/lib/domain/actor';
import { hasRoleFor } from '@/lib/domain/permissions';
import { listOpenReviews } from '@/lib/review/break-glass/read-uses';
import { listJobsUnderWay } from '@/lib/review/bulk/list-bulk-jobs';
import { countFacets } from '@/lib/review/count-facets';
import { listAuthorities } from '@/lib/review/list-authorities';
import { listSystems } from '@/lib/review/list-systems';
import { changeMark } from '@/lib/review/changes-since';
import { countExceptions } from '@/lib/review/count-exceptions';
import { deskContext } from '@/lib/review/desk-context';
import { PAGE_SIZE } from '@/lib/review/keyset';
import { listAssignees } from '@/lib/review/list-assignees';
import { listExceptions } from '@/lib/review/list-exceptions';
import { listOperations } from '@/lib/review/list-operations';
import { listTenants } from '@/lib/review/list-tenants';
import { listGroups } from '@/lib/review/list-groups';
import { listIncidents } from '@/lib/review/incidents/list-incidents';
import { orNull } from '@/lib/review/or-null';
import { listViews } from '@/lib/review/views/list-views';
import { getQueueColumns } from '@/lib/review/views/queue-columns';
import { readContext, type ReadContext } from '@/lib/review/read-context';
import { recordSearch } from '@/lib/review/record-search';
import { BROADEST_SEARCH } from '@/lib/review/search-scope';
import { actOnManyAction, previewLinksAction } from './actions';
import { ColumnsButton } from './columns/columns-button';
import { prepareBulkJobAction, settleBulkJobAction } from './jobs/actions';
import { matchesOf } from './matches';
import { QueueEmpty } from './queue-empty';
import { queueFigures } from './queue-figures';
import { QueueFilters } from './queue-filters';
import { QueueGroups } from './queue-groups';
import { QueueList } from './queue-list';
import { SplitChoice } from './split-choice';
import { readerDayEnds } from './reader-day';
import { readQueueAddress, writeQueueAddress } from './search-params';
import { chooseQueueColumnsAction, keepViewAction, removeViewAction } from './views/actions';
import { readViews } from './views/read-views';
import { ViewsButton } from './views/views-button';

const DEFAULT_SORT = 'severity';

interface QueuePageProps {
  params: AddressInput;
  /** What stands beside the list, and what holds the two; absent: the list stands alone, and the page brings none of their scripts along. */
  beside?: {
    Detail: (props: { exceptionId: string; actor: Actor }) => ReactNode;
    Frame: (props: { detail: ReactNode; children: ReactNode }) => ReactNode;
  };
}

/** The queue, alone or with an exception beside it. */
export async function QueuePage({ params, beside }: QueuePageProps) {
  const reader = await requireReader();
  const { actor } = reader;
  const read = readQueueAddress(params, await readerDayEnds());
  const t = await getTranslations('queue');
  if (read.kind === 'misread')
    return <AddressRefusal title={t('title')} names={read.names} restart="/queue" />;
  const { address, filter } = read;
  const ctx = readContext(actor);
  await recordSearch(deskContext(reader), 'queue', filter.text);
  const mark = await changeMark(ctx);
  const [answer, counts, facets, names, groups, openReviews, jobs, views, ownColumns] = await Promise.all([
    listExceptions(ctx, {
      filter,
      sort: address.sort ?? DEFAULT_SORT,
      cursor: address.cursor,
      size: PAGE_SIZE,
    }),
    orNull('exceptions per kind', countExceptions(ctx, filter)),
    orNull('facets', countFacets(ctx, filter)),
    readNames(ctx),
    address.group === null ? null : listGroups(ctx, filter, address.group),
    // told to managers where they look first.
    orNull('open reviews', actor.roles.includes('MANAGER') ? listOpenReviews(ctx) : Promise.resolve([])),
    orNull('bulk jobs', listJobsUnderWay(ctx)),
    orNull('saved views', listViews(ctx)),
    orNull('columns', getQueueColumns(ctx)),
  ]);
  if (answer.kind === 'cursor-refused') {
    return (
      <AddressRefusal
        title={t('title')}
        restart={`/queue${writeQueueAddress({ ...address, cursor: null, open: null })}`}
      />
    );
  }
  const { open } = address;
  const detail =
    beside === undefined || open === null ? null : (
      <beside.Detail key={open} exceptionId={open} actor={actor} />
    );
  const tBulk = await getTranslations('bulk');
  const columns = address.columns ?? ownColumns;
  const canAct = hasRoleFor(actor, 'exception.assign');
  return (
    <TableAddress>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={
          <>
            <ViewsButton
              views={readViews(views)}
              tenants={names.tenants ?? []}
              me={actor.personId}
              isAdmin={actor.roles.includes('ADMIN')}
              keep={keepViewAction}
              remove={removeViewAction}
            />
            <ColumnsButton columns={columns} choose={chooseQueueColumnsAction} />
            <LinkButton size="sm" look="ghost" href="/queue/jobs">
              {tBulk('title')}
            </LinkButton>
            <SplitChoice split={beside !== undefined} />
            <LiveRefresh
              renderedAt={new Date().toISOString()}
              changes={{ address: '/queue/changes', mark }}
            />
          </>
        }
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
      {groups !== null && address.group !== null ? (
        <QueueGroups
          groups={groups.groups}
          by={address.group}
          address={address}
          incidents={names.incidents ?? []}
        />
      ) : answer.kind === 'page' ? (
        <Framed by={beside?.Frame} detail={detail}>
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
            <QueueList
              rows={answer.rows}
              question={writeQueueAddress({ ...address, open: null, density: null, columns: null })}
              me={actor.personId}
              showTenant={actor.tenantIds.length > 1}
              defaultSort={DEFAULT_SORT}
              selectable={canAct}
              chosen={columns}
              openId={detail === null ? null : open}
              empty={<QueueEmpty address={address} actor={actor} />}
            />
          </SelectionProvider>
          <Pager shown={answer.rows.length} next={answer.next} previous={answer.previous} density={false} />
        </Framed>
      ) : (
        <SearchTooBroad limit={BROADEST_SEARCH} />
      )}
    </TableAddress>
  );
}

interface FramedProps {
  by: NonNullable<QueuePageProps['beside']>['Frame'] | undefined;
  detail: ReactNode;
  children: ReactNode;
}

function Framed({ by: Frame, detail, children }: FramedProps) {
  return Frame === undefined ? children : <Frame detail={detail}>{children}</Frame>;
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
