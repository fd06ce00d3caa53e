import { useTranslations } from 'next-intl';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { amountsIn } from '@/lib/domain/audit-shown';
import { lookBefore } from '@/lib/domain/audit-story';
import { type LedgerSince } from '@/lib/domain/ledger-since';
import { Panel } from '../ui/panel';
import { LedgerSinceFacts } from './ledger-since-facts';
import { StoryList } from './story-list';

interface AfterPanelProps {
  event: AuditRecord;
  /** Everything that the story tells. */
  story: readonly AuditRecord[];
  /** What was recorded later, oldest first. */
  after: readonly AuditRecord[];
  /** Null where the event is about no execution. */
  since: LedgerSince | null;
  me: string;
  /** People by their ids. */
  names: Readonly<Record<string, string>>;
}

/** What came of an act: later events, the ledger since, and what is known outside, in one place on every act's page (R-088w). */
export function AfterPanel({ event, story, after, since, me, names }: AfterPanelProps) {
  const t = useTranslations('audit.detail');
  return (
    <Panel title={t('came')}>
      <div className="flex flex-col gap-4">
        {since !== null && (
          <LedgerSinceFacts
            since={since}
            event={event}
            before={lookBefore(event, story)}
            amounts={amountsIn(story)}
          />
        )}
        {after.length === 0 ? (
          <p className="text-sm text-ink-muted">{t('cameNone')}</p>
        ) : (
          <StoryList
            story={after}
            whole={story}
            present={event.number}
            label={t('came')}
            {...{ me, names }}
          />
        )}
      </div>
    </Panel>
  );
}
