'use client';

import { createContext, use, useEffect } from 'react';

/** Tells the form around what is wrong with one of its fields; null: nothing. */
export type ReportProblem = (fieldId: string, problem: { label: string; error: string } | null) => void;

export const FormProblems = createContext<ReportProblem | null>(null);

/** Every field says here what is wrong with it, so that a form can name all of them in one place. */
export function useProblem(fieldId: string, label: string, error: string | undefined): void {
  const report = use(FormProblems);
  useEffect(() => {
    report?.(fieldId, error === undefined ? null : { label, error });
  }, [report, fieldId, label, error]);
  useEffect(() => () => report?.(fieldId, null), [report, fieldId]);
}
