import { ListChecks } from 'lucide-react';
import { type Metadata } from 'next';
import Link from 'next/link';
import { getTranslations } from 'next-intl/server';
import { JobsTable } from '@/components/bulk-job/jobs-table';
import { AddressRefusal } from '@/components/data-table/address-refusal';
import { LiveRefresh } from '@/components/shell/live-refresh';
import { ScrollPage } from '@/components/shell/scroll-page';
import { EmptyState } from '@/components/ui/empty-state';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { requireActor } from '@/lib/access/actor';
import { listBulkJobs } from '@/lib/review/bulk/list-bulk-jobs';
import { readContext } from '@/lib/review/read-context';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('bulk'))('title') };
}

export default async function BulkJobsPage({ searchParams }: PageProps<'/queue/jobs'>) {
  const actor = await requireActor();
  const { cursor } = await searchParams;
  const t = await getTranslations('bulk');
  const page = await listBulkJobs(readContext(actor), typeof cursor === 'string' ? cursor : null);
  if (page === null) return <AddressRefusal title={t('title')} restart="/queue/jobs" />;
  const tTable = await getTranslations('common.table');
  const tQueue = await getTranslations('common.nav');
  return (
    <ScrollPage>
      <PageHeader
        back={<Link href="/queue">← {tQueue('queue')}</Link>}
        title={t('title')}
        lead={t('lead')}
        actions={<LiveRefresh renderedAt={new Date().toISOString()} />}
      />
      <div className="flex flex-1 flex-col gap-3 border-t border-line px-4 py-4 md:px-6">
        {page.rows.length === 0 ? (
          <EmptyState
            icon={ListChecks}
            title={t('empty')}
            body={t('emptyBody')}
            action={<LinkButton href="/queue">{t('emptyWay')}</LinkButton>}
          />
        ) : (
          <JobsTable jobs={page.rows} />
        )}
        <div data-screen-only className="flex gap-2">
          {page.previous !== null && (
            <LinkButton size="sm" href={`/queue/jobs?cursor=${page.previous}`}>
              {tTable('previous')}
            </LinkButton>
          )}
          {page.next !== null && (
            <LinkButton size="sm" href={`/queue/jobs?cursor=${page.next}`}>
              {tTable('next')}
            </LinkButton>
          )}
        </div>
      </div>
    </ScrollPage>
  );
}
