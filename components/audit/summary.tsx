import { Fragment } from 'react';
import { readAuditBody, summaryOf } from '@/lib/domain/audit-body';
import { VisibleText } from '../text/visible-text';
import { useMemberName } from './member-name';

/** Characters of a text that a line shows; the whole is on the event's page. */
const SHOWN = 160;

/** One line about an event, or nothing. */
export function Summary({ body }: { body: string }) {
  const nameOf = useMemberName();
  const summary = summaryOf(readAuditBody(body));
  if (summary === null) return null;
  if (summary.kind === 'words')
    return <VisibleText text={Array.from(summary.text).slice(0, SHOWN).join('')} />;
  return summary.members.map(({ name, value }, index) => (
    <Fragment key={name}>
      {index > 0 && ' · '}
      {nameOf(name)}: <VisibleText text={Array.from(value).slice(0, SHOWN).join('')} />
    </Fragment>
  ));
}
