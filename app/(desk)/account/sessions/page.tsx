import { type Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ProviderButton } from '@/components/access/provider-button';
import { SessionsPanel } from '@/components/admin/sessions-panel';
import { ScrollPage } from '@/components/shell/scroll-page';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { requireActor } from '@/lib/access/actor';
import { waysIn } from '@/lib/access/ways-in';
import { listSessions } from '@/lib/review/people/list-sessions';
import { readContext } from '@/lib/review/read-context';
import { endOwnSessionsAction, settleOwnAction } from './actions';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('admin.sessions'))('ownTitle') };
}

export default async function OwnSessionsPage() {
  const actor = await requireActor();
  const t = await getTranslations('admin.sessions');
  const [{ provider, byProvider }, sessions] = await Promise.all([
    waysIn(actor),
    listSessions(readContext(actor), actor.personId),
  ]);
  return (
    <ScrollPage>
      <PageHeader
        title={t('ownTitle')}
        lead={t(byProvider ? 'ownLeadByProvider' : 'ownLead')}
        actions={
          byProvider ? (
            <span className="text-sm text-ink-muted">{t('byProvider', { provider: provider ?? '' })}</span>
          ) : (
            <>
              {provider !== null && (
                <ProviderButton again returnTo="/account/sessions">
                  {t('connect', { provider })}
                </ProviderButton>
              )}
              <LinkButton href="/login/password">{t('password')}</LinkButton>
            </>
          )
        }
      />
      <div className="flex-1 border-t border-line bg-canvas px-4 py-4 md:px-6">
        <SessionsPanel
          personId={actor.personId}
          sessions={sessions}
          present={actor.sessionId}
          endSessions={endOwnSessionsAction}
          settle={settleOwnAction}
        />
      </div>
    </ScrollPage>
  );
}
