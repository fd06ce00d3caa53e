import { useTranslations } from 'next-intl';
import { POLICY_SECTION_NAMES } from '@/lib/domain/operation-policy-sections';

/** The way to each part of the form; on a phone the parts simply follow each other. */
export function SectionLinks() {
  const t = useTranslations('policies');
  const places = [
    ...POLICY_SECTION_NAMES.map((section) => [section, t(`section.${section}.title`)] as const),
    ['guide', t('section.guide.title')] as const,
    ['changes', t('form.changes')] as const,
    ['reason', t('form.reasonTitle')] as const,
  ];
  return (
    <nav aria-label={t('form.sections')} className="max-lg:hidden">
      <ul className="sticky top-4 flex flex-col gap-0.5 border-l border-line text-sm">
        {places.map(([id, label]) => (
          <li key={id}>
            <a href={`#${id}`} className="block px-3 py-1 text-ink-muted hover:bg-hover hover:text-ink">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
