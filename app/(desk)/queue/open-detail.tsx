import { useTranslations } from 'next-intl';
import { Unlink2 } from 'lucide-react';
import { EmptyState } from '@/components/ui/empty-state';
import { type Actor } from '@/lib/domain/actor';
import { deskReader } from '@/lib/review/desk-context';
import { getException } from '@/lib/review/get-exception';
import { ExceptionDetail } from '../exceptions/[id]/exception-detail';

/** The exception that is open beside the queue. */
export async function OpenDetail({ exceptionId, actor }: { exceptionId: string; actor: Actor }) {
  const view = await getException(deskReader(actor), exceptionId);
  return view === null ? <Gone /> : <ExceptionDetail beside view={view} actor={actor} />;
}

function Gone() {
  const t = useTranslations('queue.split');
  return <EmptyState icon={Unlink2} title={t('gone')} body={t('goneBody')} />;
}
