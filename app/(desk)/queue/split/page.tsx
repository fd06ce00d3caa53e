import { type Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { OpenDetail } from '../open-detail';
import { QueuePage } from '../queue-page';
import { SplitView } from '../split-view';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('queue'))('title') };
}

export default async function Page({ searchParams }: PageProps<'/queue/split'>) {
  return <QueuePage params={await searchParams} beside={{ Detail: OpenDetail, Frame: SplitView }} />;
}
