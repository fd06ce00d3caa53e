import type { CommandAnswer } from './command-answer';
import { findingOfVerdict } from './evidence';
import { isOpenable } from './lookup-finding';
import type { Proof, Verdict } from './lookup-verdict';
import { findSecrets } from './secret-screen';
import { visibleLength } from './visible-length';

/** What a person writes down about what they saw, as the form holds it. */
export interface EvidenceFields {
  readonly place: string;
  readonly seen: string;
  readonly verdict: Verdict | null;
  readonly checkedAt: string;
  readonly account: string;
  readonly resultId: string;
  readonly resultUrl: string;
  readonly contentAgrees: boolean;
}

export type EvidenceField = keyof EvidenceFields;

export type FieldFault =
  | 'MISSING'
  | 'HOLDS_SECRET'
  | 'NOT_AN_ADDRESS'
  | 'ACCOUNT_DIFFERS'
  | 'NOT_COMPARED'
  | 'IN_THE_FUTURE'
  | 'BEFORE_THE_EXECUTION'
  | 'INVALID';

export type FieldFaults = Readonly<Partial<Record<EvidenceField, FieldFault>>>;

/** Whether somebody has written something down; ticks and times alone are quickly given again. */
export function isWritten({ place, seen, resultId, resultUrl }: EvidenceFields): boolean {
  return [place, seen, resultId, resultUrl].some((text) => visibleLength(text) > 0);
}

const TEXTS = ['place', 'seen', 'account', 'resultId', 'resultUrl'] as const;

/** What would be refused, at the field that it is about. For the form: `review.record_evidence` judges again. */
export function faultsOf(
  fields: EvidenceFields,
  about: { readonly proof: Proof; readonly account: string | null },
): FieldFaults {
  const faults: Partial<Record<EvidenceField, FieldFault>> = {};
  const found = fields.verdict !== null && findingOfVerdict(about.proof, fields.verdict).outcome === 'FOUND';
  if (found && about.account !== null && fields.account.trim() !== about.account)
    faults.account = 'ACCOUNT_DIFFERS';
  if (found && !fields.contentAgrees) faults.contentAgrees = 'NOT_COMPARED';
  if (fields.resultUrl.trim() !== '' && !isOpenable(fields.resultUrl.trim()))
    faults.resultUrl = 'NOT_AN_ADDRESS';
  for (const name of TEXTS) if (findSecrets(fields[name]).length > 0) faults[name] = 'HOLDS_SECRET';
  for (const name of ['place', 'seen'] as const)
    if (visibleLength(fields[name]) === 0) faults[name] = 'MISSING';
  if (fields.verdict === null) faults.verdict = 'MISSING';
  return faults;
}

const FIELD_OF_MEMBER: Readonly<Record<string, EvidenceField>> = {
  place: 'place',
  seen: 'seen',
  verdict: 'verdict',
  checkedAt: 'checkedAt',
  targetAccount: 'account',
  resultId: 'resultId',
  resultUrl: 'resultUrl',
  contentAgrees: 'contentAgrees',
};

/** The fields that a refusal of the desk is about; none where it is about the act as a whole. */
export function faultsOfAnswer(answer: CommandAnswer): FieldFaults {
  if (answer.outcome !== 'refused') return {};
  if (answer.code === 'CHECKED_IN_THE_FUTURE') return { checkedAt: 'IN_THE_FUTURE' };
  if (answer.code === 'CHECKED_BEFORE_THE_EXECUTION') return { checkedAt: 'BEFORE_THE_EXECUTION' };
  if (answer.code === 'ACCOUNT_DIFFERS') return { account: 'ACCOUNT_DIFFERS' };
  if (answer.code === 'CONTENT_NOT_CONFIRMED') return { contentAgrees: 'NOT_COMPARED' };
  const named = (answer.faults ?? []).map((member) => FIELD_OF_MEMBER[member]);
  return Object.fromEntries(
    named.flatMap((field) => (field === undefined ? [] : [[field, 'INVALID'] as const])),
  );
}
