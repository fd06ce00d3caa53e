'use client';

import { useTranslations } from 'next-intl';
import { isExceptionKind } from '@/lib/domain/exception-kinds';
import { changedBy, changesSince, type SeenChange } from '@/lib/domain/seen-changes';
import { isExecutionState } from '@/lib/domain/states';
import { visibleText } from '@/lib/domain/visible-text';
import { VisibleText } from '../text/visible-text';
import { Instant, isoLike } from '../time/instant';
import { useReaderZone } from '../time/clock';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';
import { useDecisionDesk } from './decision-desk';

/** What is different from what the person saw when they began to write. Their text stays and goes on by their own hand. */
export function ChangedNotice() {
  const t = useTranslations('decisions.changed');
  const { view, seen, present, outdated, adopt } = useDecisionDesk();
  const line = useChangeLine();
  if (!outdated) return null;
  const changes = changesSince(seen, present);
  const by = changedBy(seen, view);
  return (
    <Notice
      tone="caution"
      role="alert"
      title={t('title')}
      action={
        present.exceptionState === 'OPEN' ? (
          <Button size="sm" onClick={adopt}>
            {t('adopt')}
          </Button>
        ) : undefined
      }
    >
      <p>{t('lead')}</p>
      {by !== null && (
        <p>
          {t.rich('by', {
            who: () => <VisibleText text={by.who.name ?? by.who.id} />,
            at: () => <Instant at={by.at} look="full" />,
          })}
        </p>
      )}
      <ul className="mt-1 list-disc pl-4">
        {changes.length === 0 && <li>{t('versionsOnly')}</li>}
        {changes.map((change) => (
          <li key={change.member}>{line(change)}</li>
        ))}
      </ul>
    </Notice>
  );
}

function useChangeLine(): (change: SeenChange) => string {
  const t = useTranslations('decisions.changed');
  const glossary = useTranslations('glossary');
  const zone = useReaderZone();
  const told = (change: SeenChange, value: string | null): string => {
    if (value === null) return t('nothing');
    switch (change.member) {
      case 'kind':
        return isExceptionKind(value) ? glossary(`kind.${value}.label`) : value;
      case 'exceptionState':
        return glossary(`exceptionState.${value === 'OPEN' ? 'OPEN' : 'CLOSED'}`);
      case 'executionState':
        return isExecutionState(value) ? glossary(`state.${value}.label`) : value;
      case 'deferredUntil':
        return isoLike(value, zone);
      case 'resultId':
      case 'assignee':
        return visibleText(value);
      default: {
        const impossible: never = change.member;
        throw new Error(`bug: unknown member ${String(impossible)}`);
      }
    }
  };
  return (change) =>
    t('line', {
      member: t(`member.${change.member}`),
      from: told(change, change.from),
      to: told(change, change.to),
    });
}
