import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { Fragment } from 'react';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { readAuditEvent } from '@/lib/domain/audit-told';
import { Instant } from '../time/instant';
import { useMemberWords } from './member-words';

/**
 * A look by its event's number, what it was to the act, when it was recorded and what it found (R-088ag), leading to its event:
 * its id alone would have to be matched by eye, and two looks of one second are told apart by nothing else.
 */
export function LookLink({
  look,
  role = 'PLAIN',
}: {
  look: AuditRecord;
  role?: 'PLAIN' | 'SHOWN' | 'BASIS';
}) {
  const t = useTranslations('audit.look');
  const { told, wordsAt } = useMemberWords();
  const { details } = readAuditEvent(look);
  const found = ['outcome', 'verdict'].flatMap((name) => details.filter((detail) => detail.name === name));
  return (
    <Link href={`/audit/${look.number}`} className="text-accent underline underline-offset-2">
      {t.rich(`named.${role}`, {
        number: look.number,
        time: () => <Instant at={look.occurredAt} look="full" className="tabular" />,
      })}
      {found.map(({ name, values, at }, index) => (
        <Fragment key={name}>
          {index === 0 ? ': ' : ', '}
          {at === undefined
            ? told(name, values)
            : wordsAt(name, values[0] ?? '', () => <Instant at={at} look="full" className="tabular" />)}
        </Fragment>
      ))}
    </Link>
  );
}
