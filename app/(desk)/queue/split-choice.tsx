'use client';

import { Columns2, Rows3 } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { buttonLook } from '@/components/ui/button-look';
import { writeQueueAddress } from './search-params';
import { useQueueAddress } from './use-queue-address';

/** List alone, or list and exception side by side with the same rows; only where there is room for both. */
export function SplitChoice({ split }: { split: boolean }) {
  const t = useTranslations('queue.split');
  const { address } = useQueueAddress();
  const Icon = split ? Rows3 : Columns2;
  return (
    <Link
      href={`/queue${split ? '' : '/split'}${writeQueueAddress({ ...address, open: null })}`}
      prefetch={false}
      className={buttonLook({ look: 'ghost', size: 'sm', className: 'max-xl:hidden' })}
    >
      <Icon aria-hidden />
      {t(split ? 'alone' : 'choice')}
    </Link>
  );
}
