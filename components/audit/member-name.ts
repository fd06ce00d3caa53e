import { useTranslations } from 'next-intl';
import { type Messages } from '@/lib/domain/messages/catalogue';
import { visibleText } from '@/lib/domain/visible-text';

type Known = keyof Messages['audit']['member'];

/** What members of an event's stored text are called; one without a word of its own shows as stored. */
export function useMemberName(): (name: string) => string {
  const t = useTranslations('audit.member');
  return (name) => (t.has(name as Known) ? t(name as Known) : visibleText(name));
}
