import { cookies } from 'next/headers';
import { type ReactNode } from 'react';
import { OwnAccount } from '@/components/access/own-account';
import { TourMenuItem, TourOffer, TourPlace } from '@/components/help/tour-controls';
import { TourProvider } from '@/components/help/tour-provider';
import { AppShell } from '@/components/shell/app-shell';
import { chosenTheme, THEME_COOKIE } from '@/components/shell/preferences';
import { requireActor } from '@/lib/access/actor';
import { waysIn } from '@/lib/access/ways-in';
import { NEW_TOUR } from '@/lib/domain/tour';
import { type BoundedCount } from '@/lib/review/bounded-count';
import { countExceptions } from '@/lib/review/count-exceptions';
import { countWaitingApprovals } from '@/lib/review/count-waiting-approvals';
import { ANY_EXCEPTION } from '@/lib/review/exception-filter';
import { getTour } from '@/lib/review/keep-tour';
import { listTenants } from '@/lib/review/list-tenants';
import { countUnread } from '@/lib/review/notifications/count-unread';
import { readContext } from '@/lib/review/read-context';
import { orNull } from '@/lib/review/or-null';
import { keepTourAction } from './help/actions';

/** The frame around every page of the desk. Its figures are a courtesy: the frame stands without them. */
export default async function DeskLayout({ children }: { children: ReactNode }) {
  const actor = await requireActor();
  const ctx = readContext(actor);
  const [jar, ways, open, waiting, unread, tenants, tour] = await Promise.all([
    cookies(),
    waysIn(actor),
    orNull('open exceptions', countExceptions(ctx, { ...ANY_EXCEPTION, states: ['OPEN'] })),
    orNull('waiting approvals', countWaitingApprovals(ctx)),
    orNull('unread notifications', countUnread(ctx)),
    orNull('tenants', listTenants(ctx)),
    orNull('tour', getTour(ctx)),
  ]);
  const demo = tenants?.some((tenant) => tenant.demo) ?? false;
  return (
    <TourProvider initial={tour ?? NEW_TOUR} demo={demo && tour !== null} keep={keepTourAction}>
      <AppShell
        person={{ personId: actor.personId, displayName: actor.displayName, roles: actor.roles }}
        counts={{ queue: figure(open?.total ?? null), approvals: figure(waiting) }}
        theme={chosenTheme(jar.get(THEME_COOKIE)?.value)}
        unread={figure(unread)}
        demo={demo}
        offer={<TourOffer />}
        above={<TourPlace />}
        menuItem={<TourMenuItem />}
      >
        <OwnAccount personId={actor.personId} email={actor.email} ways={ways}>
          {children}
        </OwnAccount>
      </AppShell>
    </TourProvider>
  );
}

function figure(count: BoundedCount | null): string | null {
  return count === null ? null : `${count.count}${count.more ? '+' : ''}`;
}
