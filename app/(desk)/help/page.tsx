import { type Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { HELP_SECTIONS, HelpSections, HelpWords } from '@/components/help/help-sections';
import { ScrollPage } from '@/components/shell/scroll-page';
import { PageHeader } from '@/components/ui/page-header';
import { requireActor } from '@/lib/access/actor';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('help'))('title') };
}

export default async function HelpPage() {
  await requireActor();
  const t = await getTranslations('help');
  return (
    <ScrollPage>
      <PageHeader title={t('title')} lead={t('lead')} />
      <div className="flex flex-1 flex-col gap-4 border-t border-line bg-canvas px-4 pt-4 pb-10 md:px-6">
        <nav aria-label={t('contents')} data-screen-only>
          <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
            {HELP_SECTIONS.map((section) => (
              <li key={section}>
                <a href={`#${section}`} className="text-accent underline underline-offset-3">
                  {t(`section.${section}`)}
                </a>
              </li>
            ))}
            <li>
              <a href="#words" className="text-accent underline underline-offset-3">
                {t('words')}
              </a>
            </li>
          </ul>
        </nav>
        <HelpSections />
        <HelpWords />
      </div>
    </ScrollPage>
  );
}
