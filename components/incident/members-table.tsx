import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type IncidentMember } from '@/lib/domain/incident-view';
import { ExceptionStateBadge } from '../exception/exception-state-badge';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { Cell, HeadCell, Table } from '../ui/table';

/** Results of the outage, each with the way to its own page. */
export function MembersTable({ members, caption }: { members: readonly IncidentMember[]; caption: string }) {
  const t = useTranslations('incidents.member');
  return (
    <Table caption={caption} wide>
      <thead>
        <tr>
          <HeadCell>{t('exception')}</HeadCell>
          <HeadCell>{t('operation')}</HeadCell>
          <HeadCell>{t('state')}</HeadCell>
          <HeadCell>{t('result')}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <tr key={member.exceptionId}>
            <Cell>
              <Link href={`/exceptions/${member.exceptionId}`} className="underline underline-offset-3">
                <KeyText value={member.key} cut />
              </Link>
            </Cell>
            <Cell>
              <VisibleText text={member.operation} />
            </Cell>
            <Cell>
              <ExceptionStateBadge state={member.state} />
            </Cell>
            <Cell>{member.resultId === null ? t('none') : <VisibleText text={member.resultId} />}</Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
