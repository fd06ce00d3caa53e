import { useTranslations } from 'next-intl';
import { Fragment } from 'react';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { memberOf, summaryOf, type AuditSummary } from '@/lib/domain/audit-body';
import { readAuditEvent } from '@/lib/domain/audit-told';
import { visibleText } from '@/lib/domain/visible-text';
import { VisibleText } from '../text/visible-text';
import { MemberValue } from './member-value';
import { useMemberWords } from './member-words';

/** Characters of a text that a line shows; the whole is on the event's page. */
const SHOWN = 160;

interface SummaryProps {
  event: AuditRecord;
  /** People by their ids. */
  names: Readonly<Record<string, string>>;
  lead?: string | null;
}

/** One line about an event, or nothing; `lead` goes before it. */
export function Summary({ event, names, lead = null }: SummaryProps) {
  const t = useTranslations('audit');
  const summary = summaryOf(readAuditEvent(event));
  const decider = memberOf(event, 'onBehalfOf');
  return (
    <>
      {lead}
      {lead !== null && summary !== null && ' · '}
      {/* Whoever carries something out has no words of their own (R-088x). */}
      {decider !== null && summary?.kind === 'words' && (
        <>{t('reasonBy', { who: visibleText(names[decider] ?? decider) })}: </>
      )}
      {summary !== null && <Told summary={summary} />}
    </>
  );
}

function Told({ summary }: { summary: AuditSummary }) {
  const { nameOf, told } = useMemberWords();
  switch (summary.kind) {
    case 'words':
      return <Shortened text={summary.text} />;
    case 'change': {
      const { name, before, after } = summary.change;
      return (
        <>
          {nameOf(name)}: <Shortened text={`${told(name, before) || '–'} → ${told(name, after) || '–'}`} />
        </>
      );
    }
    case 'members':
      return summary.members.map((detail, index) => (
        <Fragment key={detail.name}>
          {index > 0 && ' · '}
          {nameOf(detail.name)}:{' '}
          {detail.at === undefined ? (
            <Shortened text={told(detail.name, detail.values)} />
          ) : (
            <MemberValue {...detail} />
          )}
        </Fragment>
      ));
    default:
      return summary satisfies never;
  }
}

function Shortened({ text }: { text: string }) {
  return <VisibleText text={Array.from(text).slice(0, SHOWN).join('')} />;
}
