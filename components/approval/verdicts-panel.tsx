import { useTranslations } from 'next-intl';
import { type VerdictView } from '@/lib/domain/request-view';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { Panel } from '../ui/panel';

/** Who decided what, and why, in their own words. */
export function VerdictsPanel({ verdicts }: { verdicts: readonly VerdictView[] }) {
  const t = useTranslations('approvals.detail');
  if (verdicts.length === 0) return null;
  return (
    <Panel title={t('verdicts')}>
      <ul className="flex flex-col gap-3 text-sm">
        {verdicts.map((each) => (
          <li key={each.approver.id}>
            <p className="flex flex-wrap items-baseline gap-x-2 font-medium">
              <span>
                {t.rich(each.verdict === 'APPROVE' ? 'approved' : 'rejected', {
                  who: () => <VisibleText text={each.approver.name ?? each.approver.id} />,
                })}
              </span>
              <Instant at={each.decidedAt} look="full" className="text-xs font-normal text-ink-muted" />
            </p>
            <blockquote className="mt-1 border-l-2 border-line-strong pl-3 text-ink-muted">
              <VisibleText text={each.rationale} paragraphs />
            </blockquote>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
