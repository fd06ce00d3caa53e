import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { isRole } from '@/lib/domain/actor';
import { detailOf, memberOf } from '@/lib/domain/audit-body';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { readAuditEvent } from '@/lib/domain/audit-told';
import { type Fact } from '../ui/fact-list';
import { MemberValue } from './member-value';

/** In which roles and with which authorities an event's person acted then. */
export function useThenFacts(): (event: AuditRecord) => readonly Fact[] {
  const t = useTranslations('audit.actor');
  const roleNames = useTranslations('common.roles');
  return (event) => {
    const roles = event.actorRoles.filter(isRole).map((role) => roleNames(role));
    return [
      { term: t('rolesThen'), value: roles.length > 0 ? roles.join(' · ') : t('noRoles') },
      { term: t('authoritiesThen'), value: <AuthoritiesThen event={event} /> },
      ...authorityFacts(event, t('authorityNeeded')),
    ];
  };
}

/** Which authority the act took and whether its person held it, in one line beside those of then (R-088af). */
function authorityFacts(event: AuditRecord, term: string): readonly Fact[] {
  const needed = detailOf(event, 'authorityNeeded');
  return needed === null ? [] : [{ term, value: <AuthorityNeeded event={event} needed={needed} /> }];
}

function AuthorityNeeded({ event, needed }: { event: AuditRecord; needed: string }) {
  const t = useTranslations('audit.actor');
  const { authoritiesThen } = readAuditEvent(event);
  if (needed === 'general') return t('needed.NONE');
  const held = authoritiesThen === null ? 'UNTOLD' : authoritiesThen.includes(needed) ? 'HELD' : 'NOT_HELD';
  return t.rich(`needed.${held}`, {
    authority: () => <MemberValue name="authorities" values={[needed]} />,
  });
}

function AuthoritiesThen({ event }: { event: AuditRecord }) {
  const t = useTranslations('audit.actor');
  const { authoritiesThen } = readAuditEvent(event);
  if (authoritiesThen === null) return t('authoritiesUntold');
  if (authoritiesThen.length === 0) return t('noAuthorities');
  return <MemberValue name="authorities" values={authoritiesThen} />;
}

/** Who decided what somebody else carried out, as what, and in which event: the one who carries out has no say in it. */
export function useDeciderFacts(
  event: AuditRecord,
  decided: AuditRecord | null,
  names: Readonly<Record<string, string>>,
): readonly Fact[] {
  const t = useTranslations('audit.detail');
  const thenFacts = useThenFacts();
  const decider = memberOf(event, 'onBehalfOf');
  if (decider === null) return [];
  return [
    { term: t('decidedBy'), value: <MemberValue name="onBehalfOf" values={[decider]} names={names} /> },
    ...(decided === null
      ? []
      : [
          ...thenFacts(decided),
          {
            term: t('decidedIn'),
            value: (
              <Link href={`/audit/${decided.number}`} className="text-accent underline underline-offset-2">
                {t('title', { number: decided.number })}
              </Link>
            ),
          },
        ]),
  ];
}
