'use client';

import { CircleCheck } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type SessionRow } from '@/lib/domain/person-row';
import { type CommandAction, type SettleAction } from '../decision/command-action';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { Badge } from '../ui/badge';
import { Panel } from '../ui/panel';
import { ActDialog } from './act-dialog';

interface SessionsPanelProps {
  personId: string;
  sessions: readonly SessionRow[];
  /** The session in which the reader is; it is signed out by the menu, not here. */
  present: string;
  endSessions: CommandAction;
  settle: SettleAction;
}

/** Where somebody is signed in, and the way to end it from afar. */
export function SessionsPanel({ personId, sessions, present, endSessions, settle }: SessionsPanelProps) {
  const t = useTranslations('admin.sessions');
  const others = sessions.filter((each) => each.sessionId !== present);
  const browserText = ({ browser, userAgent }: SessionRow) => {
    if (browser === null) return userAgent ?? t('unknownBrowser');
    const { browser: name, system } = browser;
    return system === null ? name : t('browserOn', { browser: name, system });
  };
  const act = (sessionId: string | null) => (
    <ActDialog
      label={t(sessionId === null ? 'endAll' : 'end')}
      title={t(sessionId === null ? 'endAll' : 'end')}
      lead={t(sessionId === null ? 'endAllLead' : 'endLead')}
      submit={t(sessionId === null ? 'endAll' : 'end')}
      look={sessionId === null ? 'danger' : 'secondary'}
      asksReason={false}
      disabledReason={others.length === 0 ? t('noOther') : undefined}
      act={endSessions}
      settle={settle}
      input={() => ({ personId, sessionId })}
    />
  );
  return (
    <Panel title={t('title')} aside={act(null)}>
      {sessions.length === 0 ? (
        <p className="text-sm text-ink-muted">{t('none')}</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {sessions.map((session) => (
            <li
              key={session.sessionId}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5 text-sm"
            >
              <div className="min-w-0 flex-1 basis-60">
                <p className="[overflow-wrap:anywhere]">
                  <VisibleText text={browserText(session)} />
                </p>
                <p className="text-xs text-ink-muted">
                  {t.rich('facts', {
                    address: session.sourceAddress ?? t('unknownAddress'),
                    begun: () => <Instant at={session.createdAt} look="full" />,
                    seen: () => <Instant at={session.lastSeenAt} look="ago" />,
                  })}
                </p>
              </div>
              {session.sessionId === present ? (
                <Badge icon={CircleCheck} tone="confirmed">
                  {t('present')}
                </Badge>
              ) : (
                act(session.sessionId)
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
