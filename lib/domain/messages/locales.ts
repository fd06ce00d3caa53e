// Apart from the words themselves: what a browser loads must not bring every message in every language along.
export const LOCALES = ['en', 'ko'] as const;

export type Locale = (typeof LOCALES)[number];

export function isLocale(value: unknown): value is Locale {
  return (LOCALES as readonly unknown[]).includes(value);
}

/** The first language of an Accept-Language header that we speak; English when there is none. */
export function negotiateLocale(acceptLanguage: string | null): Locale {
  const wanted = (acceptLanguage ?? '')
    .slice(0, 500)
    .split(',')
    .map((part, order) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const q = parameters.map((each) => each.trim()).find((each) => each.startsWith('q='));
      return { language: tag.split('-')[0], weight: q === undefined ? 1 : Number(q.slice(2)), order };
    })
    .filter((each) => each.weight > 0)
    .sort((a, b) => b.weight - a.weight || a.order - b.order);
  return wanted.map((each) => each.language).find(isLocale) ?? 'en';
}
