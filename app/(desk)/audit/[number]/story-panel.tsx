import { useTranslations } from 'next-intl';
import { StoryList } from '@/components/audit/story-list';
import { LinkButton } from '@/components/ui/link-button';
import { Panel } from '@/components/ui/panel';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { auditAddress } from '../search-params';

interface StoryPanelProps {
  event: AuditRecord;
  story: readonly AuditRecord[];
  me: string;
  /** People by their ids. */
  names: Readonly<Record<string, string>>;
}

/** Every audit event about the same thing, with the way to the list of them, where they are exported (R-088z). */
export function StoryPanel({ event, story, me, names }: StoryPanelProps) {
  const t = useTranslations('audit.detail');
  const { about, address } = subjectOf(event);
  const title = t('story', { about });
  return (
    <Panel
      title={title}
      aside={
        <span className="inline-flex flex-wrap gap-1">
          <LinkButton size="sm" look="ghost" href={`/audit${address}`}>
            {t('allOfStory')}
          </LinkButton>
          <LinkButton size="sm" look="ghost" href={`/audit${address}#export`}>
            {t('exportStory')}
          </LinkButton>
        </span>
      }
    >
      <p className="mb-3 text-xs text-ink-muted">{t('storyLead')}</p>
      <StoryList present={event.number} label={title} {...{ story, me, names }} />
    </Panel>
  );
}

/** What the event is about: the exception if there is one, else the execution, else the request; with the list narrowed to it. */
function subjectOf({ exceptionId, executionId, approvalRequestId }: AuditRecord): {
  about: 'exception' | 'execution' | 'request';
  address: string;
} {
  if (exceptionId !== null) return { about: 'exception', address: auditAddress({ exception: exceptionId }) };
  if (executionId !== null) return { about: 'execution', address: auditAddress({ execution: executionId }) };
  return { about: 'request', address: auditAddress({ request: approvalRequestId }) };
}
