'use client';

import { useTranslations } from 'next-intl';
import { useMemo } from 'react';
import { timelineOf, type TimelineFacts } from '@/lib/domain/exception-timeline';
import { type PersonRef } from '@/lib/domain/person-ref';
import { MINUTE } from '@/lib/domain/spans';
import { useSpan } from '../time/span-words';
import { Instant } from '../time/instant';
import { Panel } from '../ui/panel';
import { Timeline, type TimelineEntry } from '../ui/timeline';
import { momentLook } from './moment-look';
import { useMomentWords } from './moment-words';

/** A silence worth naming between two moments. */
const GAP = MINUTE;

/** Arrivals, attempts, lease, looks, decisions and notes on one axis, oldest first. */
export function ExceptionTimeline({
  view,
  id,
}: {
  view: TimelineFacts & { readonly assignable: readonly PersonRef[] };
  /** For links within the page. */
  id?: string;
}) {
  const t = useTranslations('exception.timeline');
  const moments = useMemo(() => timelineOf(view), [view]);
  const words = useMomentWords(view.assignable);
  const span = useSpan();
  const { shown, total } = view.arrivals;
  const entries = moments.map((moment, index): TimelineEntry => {
    const { title, body } = words(moment);
    const before = moments[index - 1];
    const gap = before === undefined ? 0 : Date.parse(moment.at) - Date.parse(before.at);
    return {
      id: moment.id,
      ...momentLook(moment),
      title,
      time: (
        <>
          {gap >= GAP && <span className="mr-2 text-ink-faint">{t('gap', { span: span(gap) })}</span>}
          <Instant at={moment.at} look="full" className="tabular max-sm:hidden" />
          <Instant at={moment.at} look="short" className="tabular sm:hidden" />
        </>
      ),
      ...(body === undefined ? {} : { body }),
    };
  });
  return (
    <Panel
      title={t('title')}
      {...(id === undefined ? {} : { id })}
      {...(shown.length < total ? { aside: t('total', { shown: shown.length, total }) } : {})}
    >
      <Timeline label={t('label')} entries={entries} />
    </Panel>
  );
}
