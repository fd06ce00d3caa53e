import { useTranslations } from 'next-intl';
import { type ExceptionKind } from '@/lib/domain/exception-kinds';
import { KIND_LOOK } from '../exception/kind-look';
import { classNames } from '../ui/class-names';
import { TONE_TEXT } from '../ui/tone';

/** The kind as the page's title, with its icon. */
export function KindTitle({ kind }: { kind: ExceptionKind }) {
  const t = useTranslations('glossary.kind');
  const { icon: Icon, tone } = KIND_LOOK[kind];
  return (
    <span className="inline-flex items-center gap-2" title={t(`${kind}.means`)}>
      <Icon aria-hidden className={classNames('size-5 shrink-0', TONE_TEXT[tone])} />
      {t(`${kind}.label`)}
    </span>
  );
}
