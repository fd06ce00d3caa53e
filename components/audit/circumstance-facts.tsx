import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { isRole } from '@/lib/domain/actor';
import { memberOf } from '@/lib/domain/audit-body';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { readAuditEvent } from '@/lib/domain/audit-told';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { FactList } from '../ui/fact-list';
import { AuditActor } from './audit-actor';
import { MemberValue } from './member-value';

interface CircumstanceFactsProps {
  event: AuditRecord;
  tenantName: string | null;
  me: string;
  /** People by their ids. */
  names: Readonly<Record<string, string>>;
}

/** Who, in which roles and with which authorities then, when, on what and from where. */
export function CircumstanceFacts({ event, tenantName, me, names }: CircumstanceFactsProps) {
  const t = useTranslations('audit');
  const roleNames = useTranslations('common.roles');
  const roles = event.actorRoles.filter(isRole).map((role) => roleNames(role));
  const decidedBy = memberOf(event, 'onBehalfOf');
  const optional = (term: string, value: string | null, href?: string) =>
    value === null
      ? []
      : [{ term, value: href === undefined ? <KeyText value={value} /> : <IdLink href={href} id={value} /> }];
  return (
    <FactList
      absent={t('detail.absent')}
      facts={[
        ...(decidedBy === null
          ? []
          : [
              {
                term: t('detail.decidedBy'),
                value: <MemberValue name="onBehalfOf" values={[decidedBy]} names={names} />,
              },
            ]),
        {
          term: t(decidedBy === null ? 'detail.who' : 'detail.carriedOutBy'),
          value: (
            <AuditActor kind={event.actorKind} id={event.actorId} name={event.actorName} me={me} linked />
          ),
        },
        ...(event.actorKind === 'person'
          ? [
              {
                term: t('actor.rolesThen'),
                value: roles.length > 0 ? roles.join(' · ') : t('actor.noRoles'),
              },
              { term: t('actor.authoritiesThen'), value: <AuthoritiesThen event={event} /> },
            ]
          : []),
        { term: t('detail.when'), value: <Instant at={event.occurredAt} look="exact" className="tabular" /> },
        ...(event.refusalCode === null
          ? []
          : [
              {
                term: t('detail.code'),
                value: <MemberValue name="refusalCode" values={[event.refusalCode]} />,
              },
            ]),
        {
          term: t('detail.tenant'),
          value:
            event.tenantId === null ? (
              t('detail.noTenant')
            ) : (
              <VisibleText text={tenantName ?? event.tenantId} />
            ),
        },
        ...optional(t('detail.operation'), event.operation),
        ...optional(t('detail.exception'), event.exceptionId, `/exceptions/${event.exceptionId}`),
        ...optional(t('detail.execution'), event.executionId, `/executions/${event.executionId}`),
        ...optional(t('detail.request'), event.approvalRequestId, `/approvals/${event.approvalRequestId}`),
        ...optional(t('detail.source'), event.sourceAddress),
      ]}
    />
  );
}

function AuthoritiesThen({ event }: { event: AuditRecord }) {
  const t = useTranslations('audit.actor');
  const { authoritiesThen } = readAuditEvent(event);
  if (authoritiesThen === null) return t('authoritiesUntold');
  if (authoritiesThen.length === 0) return t('noAuthorities');
  return <MemberValue name="authorities" values={authoritiesThen} />;
}

function IdLink({ href, id }: { href: string; id: string }) {
  return (
    <Link href={href} className="text-xs tracking-tight text-accent underline-offset-2 hover:underline">
      <KeyText value={id} />
    </Link>
  );
}
