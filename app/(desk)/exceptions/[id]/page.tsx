import { type Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { LiveRefresh } from '@/components/shell/live-refresh';
import { ScrollPage } from '@/components/shell/scroll-page';
import { requireActor } from '@/lib/access/actor';
import { deskReader } from '@/lib/review/desk-context';
import { getException } from '@/lib/review/get-exception';
import { ExceptionDetail } from './exception-detail';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('exception'))('metaTitle') };
}

export default async function ExceptionPage({ params }: PageProps<'/exceptions/[id]'>) {
  const actor = await requireActor();
  const view = await getException(deskReader(actor), (await params).id);
  if (view === null) notFound();
  const t = await getTranslations('exception');
  return (
    <ScrollPage>
      <ExceptionDetail
        view={view}
        actor={actor}
        back={<Link href="/queue">← {t('back')}</Link>}
        actions={<LiveRefresh renderedAt={view.now} />}
      />
    </ScrollPage>
  );
}
