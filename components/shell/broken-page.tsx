'use client';

import { buttonLook } from '../ui/button-look';
import { ErrorState } from '../ui/error-state';
import { useComeBack } from './come-back';

/** The messages of `errors` that it is made of. */
export interface BrokenWords {
  page: { title: string; body: string; reference: string };
  brokenOff: { title: string; body: string; reload: string };
}

interface BrokenPageProps {
  error: Error & { digest?: string };
  words: BrokenWords;
  retry: () => void;
}

/**
 * Stands for a page that cannot be shown. An error with a number happened on the server and would happen again; one
 * without mostly means that the server went away in the middle of its answer, and is over once it is back.
 */
export function BrokenPage({ error: { digest }, words: { page, brokenOff }, retry }: BrokenPageProps) {
  useComeBack(digest === undefined);
  const words = digest === undefined ? brokenOff : page;
  return (
    <main id="content" className="min-h-dvh bg-surface pt-[12vh]">
      <h1 className="sr-only">{words.title}</h1>
      <ErrorState
        title={words.title}
        body={words.body}
        {...(digest === undefined ? {} : { reference: `${page.reference} ${digest}` })}
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
