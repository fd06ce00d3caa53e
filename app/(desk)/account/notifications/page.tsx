import { type Metadata } from 'next';
import Link from 'next/link';
import { getTranslations } from 'next-intl/server';
import { GivenUp } from '@/components/notification/given-up';
import { SettingsForm } from '@/components/notification/settings-form';
import { ScrollPage } from '@/components/shell/scroll-page';
import { PageHeader } from '@/components/ui/page-header';
import { requireActor } from '@/lib/access/actor';
import { getNotificationSettings } from '@/lib/review/notifications/get-settings';
import { readContext } from '@/lib/review/read-context';
import { chooseNotificationsAction } from './actions';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('notifications.choose'))('title') };
}

export default async function NotificationSettingsPage() {
  const actor = await requireActor();
  const t = await getTranslations('notifications.choose');
  const { settings, givenUp } = await getNotificationSettings(readContext(actor));
  return (
    <ScrollPage>
      <PageHeader
        back={<Link href="/account/inbox">← {t('back')}</Link>}
        title={t('title')}
        lead={t('lead')}
      />
      <div className="flex flex-1 flex-col gap-4 border-t border-line bg-canvas px-4 py-4 md:px-6">
        <GivenUp messages={givenUp} />
        <SettingsForm
          settings={settings}
          hasMail={Boolean(process.env['SMTP_URL'])}
          choose={chooseNotificationsAction}
        />
      </div>
    </ScrollPage>
  );
}
