import { useTranslations } from 'next-intl';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { visibleText } from '@/lib/domain/visible-text';
import { cameBack, handedOver } from '@/lib/domain/working-together';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { Notice } from '../ui/notice';

/** What the reader should see before all else: words of who handed it over, and that a deferral is over. */
export function TogetherNotices({ view, me }: { view: ExceptionView; me: string }) {
  const t = useTranslations('exception.together');
  if (view.exception.state !== 'OPEN') return null;
  const note = handedOver(view.activity, me);
  const back = cameBack(view.activity);
  const text = note?.detail['text'];
  return (
    <>
      {note !== null && typeof text === 'string' && (
        <Notice tone="accent" title={t('handedOver', { who: visibleText(note.actor.name ?? note.actor.id) })}>
          <VisibleText text={text} paragraphs />
        </Notice>
      )}
      {back !== null && (
        <Notice tone="caution" title={t('cameBack')}>
          {t.rich('cameBackBody', { time: () => <Instant at={back} look="ago" /> })}
        </Notice>
      )}
    </>
  );
}
