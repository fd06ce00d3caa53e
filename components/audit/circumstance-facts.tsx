import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ApprovalTerms } from '@/lib/domain/approval-policy';
import { memberOf } from '@/lib/domain/audit-body';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { FactList } from '../ui/fact-list';
import { AuditActor } from './audit-actor';
import { useDeciderFacts, useThenFacts } from './decider-facts';
import { MemberValue } from './member-value';
import { useSecondPersonFacts } from './second-person';

interface CircumstanceFactsProps {
  event: AuditRecord;
  tenantName: string | null;
  me: string;
  /** People by their ids. */
  names: Readonly<Record<string, string>>;
  /** The event in which the person decided who is named as decider. */
  decided?: AuditRecord | null;
  /** What the request's approval policy asked for. */
  terms?: ApprovalTerms | null;
  /** Everything that the event's story tells. */
  story?: readonly AuditRecord[];
}

/** Who, in which roles and with which authorities then, when, on what and from where. */
export function CircumstanceFacts({
  event,
  tenantName,
  me,
  names,
  decided = null,
  terms = null,
  story = [event],
}: CircumstanceFactsProps) {
  const t = useTranslations('audit');
  const decidedBy = memberOf(event, 'onBehalfOf');
  const thenFacts = useThenFacts();
  const decider = useDeciderFacts(event, decided, names);
  const second = useSecondPersonFacts(event, story, terms);
  const optional = (term: string, value: string | null, href?: string) =>
    value === null
      ? []
      : [{ term, value: href === undefined ? <KeyText value={value} /> : <IdLink href={href} id={value} /> }];
  return (
    <FactList
      absent={t('detail.absent')}
      facts={[
        ...decider,
        {
          term: t(decidedBy === null ? 'detail.who' : 'detail.carriedOutBy'),
          value: (
            <AuditActor kind={event.actorKind} id={event.actorId} name={event.actorName} me={me} linked />
          ),
        },
        ...(event.actorKind === 'person' ? thenFacts(event) : []),
        ...second,
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

function IdLink({ href, id }: { href: string; id: string }) {
  return (
    <Link href={href} className="text-xs tracking-tight text-accent underline-offset-2 hover:underline">
      <KeyText value={id} />
    </Link>
  );
}
