import { useTranslations } from 'next-intl';
import { type Candidate } from '@/lib/domain/lookup-finding';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { Cell, HeadCell, Table } from '../ui/table';
import { Agreement } from './comparison';
import { OutsideLink } from './outside-link';

/** Several things found where one was meant. */
export function CandidatesTable({ candidates }: { candidates: readonly Candidate[] }) {
  const t = useTranslations('lookup.candidates');
  const tStatus = useTranslations('lookup.status');
  return (
    <Table caption={t('caption')}>
      <thead>
        <tr>
          <HeadCell>{t('id')}</HeadCell>
          <HeadCell>{t('status')}</HeadCell>
          <HeadCell>{t('account')}</HeadCell>
          <HeadCell>{t('agrees')}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {candidates.map((candidate) => (
          <tr key={candidate.id}>
            <Cell>
              {candidate.url === null ? (
                <KeyText value={candidate.id} />
              ) : (
                <OutsideLink href={candidate.url}>
                  <KeyText value={candidate.id} />
                </OutsideLink>
              )}
            </Cell>
            <Cell>{candidate.status === null ? '–' : tStatus(candidate.status)}</Cell>
            <Cell>{candidate.account === null ? '–' : <VisibleText text={candidate.account} />}</Cell>
            <Cell>
              <Agreement agrees={candidate.agrees} />
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
