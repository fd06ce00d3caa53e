'use client';

import { CATALOGUE, type Locale } from '@/lib/domain/messages/catalogue';
import { Button } from '../ui/button';
import { ErrorState } from '../ui/error-state';
import { useComeBack } from './come-back';

interface BrokenPageProps {
  error: Error & { digest?: string };
  locale: Locale;
  retry: () => void;
}

/**
 * Stands for a page that cannot be shown. An error with a number happened on the server and would happen again; one
 * without mostly means that the server went away in the middle of its answer, and is over once it is back.
 */
export function BrokenPage({ error: { digest }, locale, retry }: BrokenPageProps) {
  // Not by useTranslations: the frame that provides the words may be what broke.
  const { page, brokenOff } = CATALOGUE[locale].errors;
  useComeBack(digest === undefined);
  const words = digest === undefined ? brokenOff : page;
  return (
    <main id="content" className="min-h-dvh bg-surface pt-[12vh]">
      <h1 className="sr-only">{words.title}</h1>
      <ErrorState
        title={words.title}
        body={words.body}
        {...(digest === undefined ? {} : { reference: page.reference.replace('{digest}', digest) })}
        action={<Button onClick={retry}>{brokenOff.reload}</Button>}
      />
    </main>
  );
}
