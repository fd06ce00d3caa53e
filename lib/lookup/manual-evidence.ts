import { z } from 'zod';
import type { Pool } from '@/lib/db/pool';
import { transaction, type TransactionContext } from '@/lib/db/transaction';
import { findingOfVerdict, negativeProofHorizon } from '@/lib/domain/evidence';
import { isOpenable } from '@/lib/domain/lookup-finding';
import { VERDICTS } from '@/lib/domain/lookup-verdict';
import { findSecrets, type SecretKind } from '@/lib/domain/secret-screen';
import { getLookupSubject } from './lookup-subject';

/** Text without characters that hide or break out: NUL, lone surrogates, controls other than line breaks and tabs. */
const text = (longest: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .refine((value) => !/\p{Cs}|(?![\n\r\t])\p{Cc}/u.test(value), 'has control characters');

/** What a person saw in the outside system. */
export const manualEvidenceSchema = z
  .strictObject({
    /** Made with the form: the same click sent twice keeps one row. */
    operationId: z.uuid(),
    exceptionId: z.uuid(),
    /** The execution's version on the page that the person saw; decimal digits. */
    executionVersion: z.string().regex(/^\d{1,19}$/),
    /** Where: the screen, report or person that was asked. */
    place: text(300),
    seen: text(4_000),
    verdict: z.enum(VERDICTS),
    /** When it was seen; RFC 3339. Absent: just now, by the database's clock. */
    checkedAt: z.iso.datetime({ offset: true }).optional(),
    resultId: text(255).optional(),
    /** Attachments stay outside: a link to them, or to the result. */
    resultUrl: z.string().refine(isOpenable, 'is not a web address').optional(),
    targetAccount: text(200).optional(),
    /** The person compared the content with the execution's and it is the same. */
    contentAgrees: z.boolean(),
  })
  .refine((evidence) => evidence.resultId === undefined || !/[\n\r\t]/.test(evidence.resultId), {
    path: ['resultId'],
    message: 'has control characters',
  });
export type ManualEvidence = z.infer<typeof manualEvidenceSchema>;

/** Why evidence was not kept; each is audited as `evidence.recorded`, refused. */
type EvidenceRefusal =
  | 'NOT_FOUND'
  | 'ROLE_MISSING'
  | 'AUTHORITY_MISSING'
  | 'EXCEPTION_CLOSED'
  | 'NO_EXECUTION'
  | 'HOLDS_SECRET'
  | 'CHANGED_SINCE_SEEN'
  | 'CHECKED_IN_THE_FUTURE'
  | 'CHECKED_BEFORE_THE_EXECUTION'
  | 'ACCOUNT_DIFFERS'
  | 'CONTENT_NOT_CONFIRMED';

export type EvidenceRecorded =
  /** `lookupId` is absent when the same click had been recorded before; `filedEarlier`: a newer look exists already. */
  | { outcome: 'done'; lookupId?: string; repeated?: boolean; filedEarlier?: boolean }
  /** `secrets` says which kinds of secrets the text seems to hold; nothing of the text was kept. */
  | { outcome: 'refused'; code: EvidenceRefusal; secrets: SecretKind[] };

// Index: lookups_by_execution.
const NEWER = `
  SELECT 1 FROM review.lookups mine JOIN review.lookups l USING (execution_id, execution_version)
   WHERE mine.lookup_id = $1 AND (l.checked_at, l.lookup_id) > (mine.checked_at, mine.lookup_id) LIMIT 1`;

/** Keeps what a person saw as evidence of the exception's execution, under the person's name. */
export async function recordManualEvidence(
  pool: Pool,
  context: TransactionContext,
  input: ManualEvidence,
): Promise<EvidenceRecorded> {
  const texts = [input.place, input.seen, input.resultId, input.resultUrl, input.targetAccount];
  const secrets = [...new Set(texts.flatMap((each) => (each === undefined ? [] : findSecrets(each))))];
  return transaction(pool, context, async (tx) => {
    const { rows: about } = await tx.query<{ execution_id: string | null }>(
      'SELECT execution_id FROM review.exceptions WHERE exception_id = $1',
      [input.exceptionId],
    );
    const executionId = about[0]?.execution_id ?? null;
    const subject = executionId === null ? null : await getLookupSubject(tx, executionId);
    const finding = findingOfVerdict(subject?.proof ?? 'PRESENCE', input.verdict);
    const horizon =
      subject === null
        ? null
        : negativeProofHorizon({
            ...subject.horizon,
            visibilityDelaySeconds: subject.manualHorizonSeconds,
            queryableSeconds: null,
          });
    const { rows } = await tx.query<{ answer: EvidenceAnswer }>(
      'SELECT review.record_evidence($1::jsonb) AS answer',
      [
        JSON.stringify({
          ...(secrets.length === 0
            ? input
            : { ...input, place: null, seen: null, resultId: null, resultUrl: null, targetAccount: null }),
          checkedAt: input.checkedAt ?? subject?.askedAtText ?? null,
          outcome: finding.outcome,
          externalStatus: finding.externalStatus,
          usableFrom: horizon?.usableFrom ?? null,
          refusal: secrets.length === 0 ? null : ('HOLDS_SECRET' satisfies EvidenceRefusal),
        }),
      ],
    );
    const answer = rows[0]?.answer;
    if (answer === undefined) throw new Error('bug: record_evidence answered nothing');
    if (answer.outcome === 'refused') return { ...answer, secrets };
    if (answer.lookupId === undefined) return answer;
    const { rows: newer } = await tx.query(NEWER, [answer.lookupId]);
    return { ...answer, filedEarlier: newer.length > 0 };
  });
}

type EvidenceAnswer =
  { outcome: 'done'; lookupId?: string; repeated?: boolean } | { outcome: 'refused'; code: EvidenceRefusal };
