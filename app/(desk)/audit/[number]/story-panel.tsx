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

/** Every audit event of the story, with the way to the list of the very same ones, where they are exported (R-088z, R-088ad). */
export function StoryPanel({ event, story, me, names }: StoryPanelProps) {
  const t = useTranslations('audit.detail');
  const title = t('story');
  const address = auditAddress({ story: event.number });
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
