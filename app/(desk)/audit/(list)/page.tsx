import { ScrollText } from 'lucide-react';
import { type Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { type SearchParams } from 'nuqs/server';
import { Suspense } from 'react';
import { AuditTable } from '@/components/audit/audit-table';
import { AddressRefusal } from '@/components/data-table/address-refusal';
import { ClearFilters } from '@/components/data-table/clear-filters';
import { Pager } from '@/components/data-table/pager';
import { TableAddress } from '@/components/data-table/table-address';
import { LiveRefresh } from '@/components/shell/live-refresh';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorState } from '@/components/ui/error-state';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { requireReader } from '@/lib/access/actor';
import { PAGE_SIZE } from '@/lib/review/keyset';
import { countHiddenSearches } from '@/lib/review/count-hidden-searches';
import { deskContext } from '@/lib/review/desk-context';
import { readNames } from '@/lib/review/get-audit-event';
import { listAuditEvents, type ListAuditAnswer } from '@/lib/review/list-audit-events';
import { readContext } from '@/lib/review/read-context';
import { readSubjects } from '@/lib/review/read-subjects';
import { recordSearch } from '@/lib/review/record-search';
import { AuditFilters } from '../audit-filters';
import { ChainState, ChainStatePending } from '../chain-state';
import { ExportButtons } from '../export-buttons';
import { emptinessOf } from '../emptiness';
import { AUDIT_FILTER_NAMES, auditAddress, filterOf, readAuditAddress } from '../search-params';
import { RetiredRanges } from '../retired-ranges';
import { HiddenSearches } from '../hidden-searches';
import { SearchReach } from '../search-reach';
import { SigningState } from '../signing-state';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('audit'))('title') };
}

export default async function AuditPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const reader = await requireReader();
  const { actor } = reader;
  const t = await getTranslations('audit');
  const read = readAuditAddress(await searchParams);
  if (read.kind === 'misread')
    return <AddressRefusal title={t('title')} names={read.names} restart="/audit" />;
  const { address } = read;
  const ctx = readContext(actor);
  const filter = filterOf(address);
  await recordSearch(deskContext(reader), 'audit', filter.text);
  const answer = await listAuditEvents(ctx, {
    filter,
    sort: address.sort,
    cursor: address.cursor,
    size: PAGE_SIZE,
  });
  const hiddenSearches = await countHiddenSearches(ctx, filter);
  const narrowed = auditAddress({ ...address, sort: null, cursor: null }) !== '';
  const soFar = answer.kind === 'page' && answer.unsearched !== null;
  const emptiness = emptinessOf({ narrowed, text: filter.text !== '', soFar });
  return (
    <TableAddress>
      <PageHeader
        title={t('title')}
        lead={`${t('lead')} ${t('numbering')}`}
        actions={
          <>
            <ExportButtons actor={actor} address={address} count={wholeCount(answer, hiddenSearches)} />
            <LiveRefresh renderedAt={new Date().toISOString()} />
          </>
        }
      />
      <div className="flex flex-col gap-3 px-4 pb-3 md:px-6">
        <div className="grid items-start gap-3 xl:grid-cols-2">
          <Suspense fallback={<ChainStatePending label={t('chain.checking')} />}>
            <ChainState />
          </Suspense>
          <Suspense fallback={<ChainStatePending label={t('chain.checking')} />}>
            <SigningState />
          </Suspense>
        </div>
        <Suspense>
          <RetiredRanges />
        </Suspense>
        <AuditFilters ctx={ctx} address={address} />
      </div>
      {answer.kind === 'cursor-refused' ? (
        <ErrorState
          title={t('cursorRefused.title')}
          body={t('cursorRefused.body')}
          action={
            <LinkButton href={`/audit${auditAddress({ ...address, cursor: null })}`}>
              {t('cursorRefused.first')}
            </LinkButton>
          }
        />
      ) : (
        <>
          <div className="flex flex-col gap-2 px-4 pb-3 empty:hidden md:px-6">
            <HiddenSearches address={address} count={hiddenSearches} />
            <SearchReach address={address} search={answer.search} unsearched={answer.unsearched} />
          </div>
          <AuditTable
            rows={answer.rows}
            names={await readNames(ctx, answer.rows)}
            subjects={await readSubjects(ctx, answer.rows)}
            me={actor.personId}
            defaultSort="-number"
            empty={
              <EmptyState
                icon={ScrollText}
                title={t(emptiness.title)}
                body={t(emptiness.body)}
                action={narrowed ? <ClearFilters names={AUDIT_FILTER_NAMES} look="secondary" /> : undefined}
              />
            }
          />
          <Pager shown={answer.rows.length} next={answer.next} previous={answer.previous} />
        </>
      )}
    </TableAddress>
  );
}

/** The events of a list that is whole on this page, which a file then holds exactly; else null. */
function wholeCount(answer: ListAuditAnswer, hiddenSearches: number): number | null {
  if (answer.kind !== 'page' || answer.next !== null || answer.previous !== null) return null;
  return hiddenSearches === 0 && answer.unsearched === null ? answer.rows.length : null;
}
