import type { FieldComparison } from './compare-content';
import type { CommandAnswer } from './command-answer';
import type { ExceptionKind } from './exception-kinds';
import type { ExternalStatus } from './lookup-verdict';
import type { RefusalCode } from './refusals';

/** What can be done with many exceptions at once. A new key is asked for and approved one by one, always. */
export const BULK_ACTS = ['assign', 'defer', 'look-up', 'link'] as const;

export type BulkAct = (typeof BULK_ACTS)[number];

/** Exceptions in one batch: a page of the queue. */
export const BULK_CAP = 50;

/** Rows carried out per request, so that a person sees how far it is: a silent outside system takes 7 s for each. */
export const BULK_SLICE = 5;

/** One exception of a batch, as it was seen, under the operation id that decides it once. */
export interface BulkRow {
  readonly exceptionId: string;
  readonly exceptionVersion: string;
  readonly operationId: string;
}

export interface BulkRowAnswer {
  readonly operationId: string;
  readonly answer: CommandAnswer;
}

/** An answer per row that was carried out; or a refusal of the whole batch, and then nothing has changed. */
export type BulkAnswer =
  | { readonly outcome: 'answered'; readonly rows: readonly BulkRowAnswer[] }
  | Extract<CommandAnswer, { outcome: 'refused' }>;

export interface BulkTally {
  readonly done: number;
  readonly refused: number;
  /** Sent, and the answer was lost. */
  readonly unknown: number;
  /** Not sent. */
  readonly waiting: number;
}

/** What has become of a batch; each row counts in exactly one figure. */
export function tallyOf(answers: readonly (CommandAnswer | null)[]): BulkTally {
  const count = (...outcomes: readonly (CommandAnswer['outcome'] | null)[]) =>
    answers.filter((answer) => outcomes.includes(answer?.outcome ?? null)).length;
  return {
    done: count('done', 'requested'),
    refused: count('refused'),
    unknown: count('unknown'),
    waiting: count(null),
  };
}

/** One selected exception in the preview of a bulk link. */
export interface LinkCandidate {
  readonly exceptionId: string;
  readonly exceptionVersion: string;
  readonly executionVersion: string | null;
  readonly kind: ExceptionKind;
  readonly operation: string;
  readonly key: string | null;
  readonly found: FoundResult | null;
  /** The look is too old: linking looks once more first and goes on only if that shows the same. */
  readonly lookAgain: boolean;
  /** Why it cannot be linked with the others; null: it is a conclusive match. */
  readonly leftOut: RefusalCode | null;
}

/** The look that tells most about it. */
export interface FoundResult {
  readonly evidenceId: string;
  readonly resultId: string | null;
  readonly resultUrl: string | null;
  readonly externalStatus: ExternalStatus | null;
  readonly checkedAt: string;
  readonly comparison: readonly FieldComparison[];
}

export type LinkPreview =
  | { readonly outcome: 'previewed'; readonly rows: readonly LinkCandidate[] }
  | Extract<CommandAnswer, { outcome: 'refused' }>;
