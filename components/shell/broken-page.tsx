'use client';

import english from '@/lib/domain/messages/en/errors.json';
import korean from '@/lib/domain/messages/ko/errors.json';
import { type Locale } from '@/lib/domain/messages/locales';
import { buttonLook } from '../ui/button-look';
import { ErrorState } from '../ui/error-state';
import { useComeBack } from './come-back';

const WORDS = { en: english, ko: korean } as const satisfies Record<Locale, unknown>;

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
  const { page, brokenOff } = WORDS[locale];
  useComeBack(digest === undefined);
  const words = digest === undefined ? brokenOff : page;
  return (
    <main id="content" className="min-h-dvh bg-surface pt-[12vh]">
      <h1 className="sr-only">{words.title}</h1>
      <ErrorState
        title={words.title}
        body={words.body}
        {...(digest === undefined ? {} : { reference: page.reference.replace('{digest}', digest) })}
        action={
          // Not our `Button`: its explanation is a script of its own, which a broken page might never get.
          <button type="button" onClick={retry} className={buttonLook()}>
            {brokenOff.reload}
          </button>
        }
      />
    </main>
  );
}
