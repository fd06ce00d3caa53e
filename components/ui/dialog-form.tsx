'use client';

import { useTranslations } from 'next-intl';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { FormProblems, type ReportProblem } from './form-problems';
import { Notice } from './notice';

interface DialogFormProps {
  /** Named by the dialog's button, which stands outside of the form. */
  id: string;
  onSubmit: () => void;
  /** What became of the act as a whole; beside the list of what is wrong, at the top, where it is seen. */
  notice: ReactNode;
  /** Changes when an answer to the act has come: then the top is brought into view. */
  answer: unknown;
  /** Something was typed or chosen. */
  onTyped?: () => void;
  children: ReactNode;
}

interface Problem {
  label: string;
  error: string;
}

/** The form of a dialog: what is wrong stands at each field and, all of it, at the top, where the keyboard goes. */
export function DialogForm({ id, onSubmit, notice, answer, onTyped, children }: DialogFormProps) {
  const t = useTranslations('common.form');
  const top = useRef<HTMLDivElement>(null);
  const sent = useRef(false);
  const [problems, setProblems] = useState<ReadonlyMap<string, Problem | null>>(new Map());
  const report = useCallback<ReportProblem>(
    (fieldId, problem) => setProblems((now) => new Map(now).set(fieldId, problem)),
    [],
  );
  const wrong = [...problems].flatMap(([fieldId, problem]) =>
    problem === null ? [] : [{ fieldId, ...problem }],
  );
  useEffect(() => {
    if (!sent.current || (wrong.length === 0 && answer === null)) return;
    sent.current = false;
    top.current?.scrollIntoView({ block: 'start' });
    top.current?.focus();
  });
  return (
    <FormProblems value={report}>
      <form
        id={id}
        noValidate
        className="flex flex-col gap-3.5"
        onInput={() => {
          // Only what sending has shown moves the keyboard; typing never does.
          sent.current = false;
          onTyped?.();
        }}
        onSubmit={(event) => {
          event.preventDefault();
          sent.current = true;
          onSubmit();
        }}
      >
        <div ref={top} tabIndex={-1} className="flex flex-col gap-2 outline-none empty:hidden">
          {wrong.length > 0 && (
            <Notice tone="danger" title={t('problems', { count: wrong.length })}>
              <ul className="flex flex-col gap-0.5">
                {wrong.map(({ fieldId, label, error }) => (
                  <li key={fieldId}>
                    <button
                      type="button"
                      className="text-left underline underline-offset-3"
                      onClick={() => focusField(fieldId)}
                    >
                      {label}
                    </button>
                    : {error}
                  </li>
                ))}
              </ul>
            </Notice>
          )}
          {notice}
        </div>
        {children}
      </form>
    </FormProblems>
  );
}

/** A field, or the first of a group of choices. */
function focusField(fieldId: string): void {
  const field = document.getElementById(fieldId);
  const control = field?.matches('input, textarea, select') === true ? field : field?.querySelector('input');
  control?.focus();
}
