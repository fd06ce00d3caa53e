import { type Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { QueuePage } from './queue-page';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('queue'))('title') };
}

export default async function Page({ searchParams }: PageProps<'/queue'>) {
  return <QueuePage params={await searchParams} />;
}
