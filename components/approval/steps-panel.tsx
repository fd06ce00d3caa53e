'use client';

import { Check, CircleDashed } from 'lucide-react';
import { useLocale, useTranslations } from 'next-intl';
import { type ActorRef } from '@/lib/domain/person-ref';
import { type RequestView, type StepView } from '@/lib/domain/request-view';
import { visibleText } from '@/lib/domain/visible-text';
import { classNames } from '../ui/class-names';
import { Notice } from '../ui/notice';
import { Panel } from '../ui/panel';
import { TONE_SURFACE } from '../ui/tone';
import { useStepWords } from './step-text';

/** Which steps of the approval policy have passed, by whom, and who may pass the others. */
export function StepsPanel({ request }: { request: RequestView }) {
  const t = useTranslations('approvals.step');
  if (request.steps.length === 0) return null;
  return (
    <Panel title={t('title')}>
      <div className="flex flex-col gap-3 text-sm">
        {request.policy.approval === null && <Notice tone="caution">{t('noPolicy')}</Notice>}
        <ol className="flex flex-col gap-3">
          {request.steps.map((each, index) => (
            <Step key={index} view={each} />
          ))}
        </ol>
        <p className="text-xs text-ink-muted">{t('counts')}</p>
      </div>
    </Panel>
  );
}

function Step({ view }: { view: StepView }) {
  const t = useTranslations('approvals.step');
  const words = useStepWords();
  const names = useNames();
  const passed = view.missing === 0;
  const Icon = passed ? Check : CircleDashed;
  return (
    <li className="flex min-w-0 items-start gap-2.5">
      <span
        className={classNames(
          'mt-0.5 flex size-5 shrink-0 items-center justify-center rounded-full ring-1 ring-inset',
          TONE_SURFACE[passed ? 'confirmed' : 'accent'],
        )}
      >
        <Icon aria-hidden className="size-3" />
      </span>
      <div className="min-w-0">
        <p className="font-medium">
          {words(view.step)}{' '}
          <span className="font-normal text-ink-muted">
            {passed ? t('passed') : t('missing', { count: view.missing })}
          </span>
        </p>
        {!(view.asked && view.now) && (
          <p className="text-xs text-ink-muted">{t(view.now ? 'sinceThen' : 'fromThen')}</p>
        )}
        {view.passedBy.length > 0 && <p>{t('passedBy', { who: names(view.passedBy) })}</p>}
        {!passed && view.mayPass.length > 0 && (
          <p className="text-ink-muted">
            {t(view.more ? 'mayPassMore' : 'mayPass', { who: names(view.mayPass) })}
          </p>
        )}
        {!passed && view.mayPass.length === 0 && <p className="text-caution">{t('nobody')}</p>}
      </div>
    </li>
  );
}

function useNames(): (people: readonly ActorRef[]) => string {
  const list = new Intl.ListFormat(useLocale(), { type: 'conjunction' });
  return (people) => list.format(people.map(({ name, id }) => visibleText(name ?? id)));
}
