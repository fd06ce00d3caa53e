import { type Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { GrantPanel } from '@/components/admin/grant-panel';
import { PersonActs, type PersonActions } from '@/components/admin/person-acts';
import { PersonFacts } from '@/components/admin/person-facts';
import { PersonStateBadge } from '@/components/admin/person-state';
import { SessionsPanel } from '@/components/admin/sessions-panel';
import { ScrollPage } from '@/components/shell/scroll-page';
import { VisibleText } from '@/components/text/visible-text';
import { PageHeader } from '@/components/ui/page-header';
import { requireActor } from '@/lib/access/actor';
import { listTenants } from '@/lib/review/list-tenants';
import { getPerson, listAuthorities } from '@/lib/review/people/get-person';
import { listSessions } from '@/lib/review/people/list-sessions';
import { readContext } from '@/lib/review/read-context';
import {
  changeRightsAction,
  decideGrantAction,
  endSessionsAction,
  resetPersonAction,
  setDisabledAction,
  settlePeopleAction,
} from '../actions';

const ACTIONS: PersonActions = {
  changeRights: changeRightsAction,
  decideGrant: decideGrantAction,
  setDisabled: setDisabledAction,
  reset: resetPersonAction,
  endSessions: endSessionsAction,
  settle: settlePeopleAction,
};

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('admin.people'))('title') };
}

export default async function PersonPage({ params }: { params: Promise<{ id: string }> }) {
  const actor = await requireActor();
  const ctx = readContext(actor);
  const person = await getPerson(ctx, (await params).id);
  if (person === null) notFound();
  const [sessions, authorities, tenants, t] = await Promise.all([
    listSessions(ctx, person.personId),
    listAuthorities(ctx),
    listTenants(ctx),
    getTranslations('admin.people'),
  ]);
  return (
    <ScrollPage>
      <PageHeader
        back={<Link href="/admin/people">← {t('title')}</Link>}
        title={<VisibleText text={person.displayName} />}
        badges={<PersonStateBadge state={person.state} />}
      />
      <div className="grid flex-1 content-start gap-x-5 gap-y-4 border-t border-line bg-canvas px-4 pt-4 pb-10 md:px-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <GrantPanel person={person} me={actor.personId} actions={ACTIONS} />
          <PersonFacts person={person} />
          <SessionsPanel
            personId={person.personId}
            sessions={sessions}
            present={actor.sessionId}
            endSessions={ACTIONS.endSessions}
            settle={ACTIONS.settle}
          />
        </div>
        <aside className="flex min-w-0 flex-col gap-4">
          <PersonActs person={person} authorities={authorities} tenants={tenants} actions={ACTIONS} />
        </aside>
      </div>
    </ScrollPage>
  );
}
