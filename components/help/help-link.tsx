import { CircleQuestionMark } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';

/** The way from a word on a page to what it means. */
export function HelpLink({ id, word }: { id: string; word: string }) {
  const t = useTranslations('help');
  const label = t('explain', { word });
  return (
    <Link
      href={`/help#${id}`}
      prefetch={false}
      aria-label={label}
      title={label}
      className="inline-flex size-6 items-center justify-center rounded-full text-ink-faint hover:bg-hover hover:text-ink"
    >
      <CircleQuestionMark aria-hidden className="size-4" />
    </Link>
  );
}
