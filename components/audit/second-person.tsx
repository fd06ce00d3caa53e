import Link from 'next/link';
import { useLocale, useTranslations } from 'next-intl';
import { peopleNeeded, type ApprovalTerms, type PolicyStep } from '@/lib/domain/approval-policy';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { secondPersonOf } from '@/lib/domain/audit-grounds';
import { twoPeopleOf, type TwoPeople } from '@/lib/domain/audit-story';
import { rolesFor } from '@/lib/domain/permissions';
import { useAuthorityName } from '../decision/authority-name';
import { type Fact } from '../ui/fact-list';

/** Whether a second person was needed, who that was, and whom the policy asked for (R-088s, R-088y). */
export function useSecondPersonFacts(
  event: AuditRecord,
  story: readonly AuditRecord[],
  terms: ApprovalTerms | null,
): readonly Fact[] {
  const t = useTranslations('audit.secondPerson');
  const second = secondPersonOf(event);
  if (second === 'NOT_NEEDED') return [{ term: t('title'), value: <NotNeeded />, wide: true }];
  if (second === null || terms === null) return [];
  return [
    {
      term: t('title'),
      wide: true,
      value: (
        <div className="flex flex-col gap-1">
          <Answered people={twoPeopleOf(event, story)} needed={peopleNeeded(terms.steps)} />
          <Asks terms={terms} />
        </div>
      ),
    },
  ];
}

function NotNeeded() {
  const t = useTranslations('audit.secondPerson');
  return (
    <div className="flex flex-col gap-1">
      <p>{t('none')}</p>
      <p className="text-xs text-ink-muted">
        {t('noneWhy')} <PoliciesLink />
      </p>
    </div>
  );
}

/** After the answer, by whom; before it, how many are still missing. */
function Answered({ people, needed }: { people: TwoPeople; needed: number }) {
  const t = useTranslations('audit.secondPerson');
  const list = new Intl.ListFormat(useLocale(), { type: 'conjunction' });
  const { asked, agreed, refused, over } = people;
  const asker = asked?.actorName ?? t('unknown');
  const named = (events: readonly AuditRecord[]) => list.format(events.map(({ actorName }) => actorName));
  const missing = needed - agreed.length;
  if (refused.length > 0) return <p>{t('refused', { asker, who: named(refused) })}</p>;
  if (agreed.length > 0 && (missing <= 0 || over))
    return <p>{t('decided', { asker, who: named(agreed) })}</p>;
  if (over) return <p>{t('over', { asker })}</p>;
  return (
    <p>
      {agreed.length === 0 ? t('asked', { asker }) : t('decided', { asker, who: named(agreed) })}{' '}
      {t('missing', { count: Math.max(1, missing) })}
    </p>
  );
}

/** Whom the policy asked for, with the roles that may decide such a request at all where the step names none. */
function Asks({ terms: { own, version, steps } }: { terms: ApprovalTerms }) {
  const t = useTranslations('audit.secondPerson');
  const roleNames = useTranslations('common.roles');
  const either = new Intl.ListFormat(useLocale(), { type: 'disjunction' });
  const authorityName = useAuthorityName();
  const rolesOf = ({ role, kinds }: PolicyStep) =>
    role === null ? rolesFor(kinds.includes('REISSUE') ? 'reissue.decide' : 'confirmation.decide') : [role];
  return (
    <div className="text-xs text-ink-muted">
      {steps.map((step, index) => (
        <p key={index}>
          {t('asks', {
            policy: own ? 'own' : 'default',
            version: own ? version : 0,
            count: step.count,
            roles: either.format(rolesOf(step).map((role) => roleNames(role))),
            hasAuthority: step.authority === null ? 'no' : 'yes',
            authority: step.authority === null ? '' : authorityName(step.authority),
          })}
        </p>
      ))}
      <p>
        {!own && t('defaultMeans')} <PoliciesLink />
      </p>
    </div>
  );
}

/** Everybody who reads the audit reads the policies. */
function PoliciesLink() {
  const t = useTranslations('audit.secondPerson');
  return (
    <Link href="/admin/policies" className="text-accent underline underline-offset-2">
      {t('policies')}
    </Link>
  );
}
