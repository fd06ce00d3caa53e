import { useTranslations } from 'next-intl';

/** What a recipe that comes along is called and does; a test sees that each has its words. */
export function useShippedText(): (name: string) => { title: string; about: string } {
  const t = useTranslations('connectors.shipped');
  return (name) => ({
    title: t(`${name as 'stripe-refund'}.title`),
    about: t(`${name as 'stripe-refund'}.about`),
  });
}
