import { readAuditBody, saysNoneOf, type AuditBody, type Detail } from './audit-body';
import type { AuditRecord } from './audit-events';

type Told = Pick<AuditRecord, 'event' | 'body' | 'texts'>;

/** Events that record one look at the outside system. */
export const LOOKS: readonly string[] = ['lookup.recorded', 'evidence.recorded'];
const AMOUNTS: readonly string[] = ['stake', 'original', 'new', 'both'];

/**
 * An event's text as a reader should understand it: a look by what it proved when it was recorded, a decision's evidence by
 * when it was made relative to the decision, amounts with their currency. What is stored stays as it is.
 */
export function readAuditEvent({ event, body, texts }: Told): AuditBody {
  const read = readAuditBody(body, texts ?? null);
  const details = read.details
    .map((detail) => (LOOKS.includes(event) && detail.name === 'verdict' ? verdictOf(read.details) : detail))
    .map((detail) => (detail.name === 'conclusive' ? proofOf(read.details, detail) : detail))
    .map((detail) => (detail.name === 'evidenceId' ? evidenceOf(event, read.details, detail) : detail));
  const told = withCurrencies(details);
  return { ...read, details: [...told, ...absencesOf({ event, body }, read)] };
}

/** What a decision could have had and had not, told instead of a line that is missing (R-088o). */
function absencesOf(
  { event, body }: Pick<Told, 'event' | 'body'>,
  { authoritiesThen, details }: AuditBody,
): readonly Detail[] {
  const amountUntold = valueOf(details, 'stakeAmount') === null;
  return [
    ...(saysNoneOf({ body }, 'shownEvidenceId')
      ? [{ name: 'shownEvidenceId', values: ['NO_LOOK_SHOWN'] }]
      : []),
    // Events from before amounts were recorded tell no authorities either.
    ...(event === 'decision.result_linked' && authoritiesThen !== null && amountUntold
      ? [{ name: 'stakeAmount', values: ['NO_AMOUNT'] }]
      : []),
  ];
}

/** "Not there" is told as the judgement of then: proven, too early, too late, or not known from the event. */
function verdictOf(details: readonly Detail[]): Detail {
  const [verdict = '', conclusive] = [valueOf(details, 'verdict') ?? '', valueOf(details, 'conclusive')];
  const plain = { name: 'verdict', values: [verdict] };
  // A refused record of a person's look kept nothing: its verdict is what the person had chosen.
  if (verdict !== 'NOT_APPLIED' || valueOf(details, 'lookupId') === null || conclusive === 'true')
    return plain;
  const what = valueOf(details, 'outcome') === 'NOT_FOUND' ? 'NOT_FOUND' : 'NO_EFFECT';
  if (conclusive === null) return { ...plain, values: [`${what}_UNTOLD`] };
  const [from, checked] = [valueOf(details, 'provesFrom') ?? '', valueOf(details, 'checkedAt') ?? ''];
  return checked < from
    ? { ...plain, values: [`${what}_TOO_EARLY`], at: from }
    : { ...plain, values: [`${what}_TOO_LATE`] };
}

/** That a look proved something is said with what it proved (R-088aa). */
function proofOf(details: readonly Detail[], detail: Detail): Detail {
  const verdict = valueOf(details, 'verdict');
  if (verdict === 'APPLIED') return { ...detail, name: 'conclusiveApplied' };
  return verdict === 'NOT_APPLIED' ? { ...detail, name: 'conclusiveNotApplied' } : detail;
}

/** Whether a person had the look before them is known by the event, or by the look that was shown beside it. */
function evidenceOf(event: string, details: readonly Detail[], detail: Detail): Detail {
  if (event === 'reissue.executed') return { ...detail, name: 'evidenceAfterApproval' };
  const shown = valueOf(details, 'shownEvidenceId');
  return shown === null || shown === detail.values[0] ? detail : { ...detail, name: 'evidenceOnDeciding' };
}

function withCurrencies(details: readonly Detail[]): readonly Detail[] {
  const currencies = AMOUNTS.map((side) => `${side}Currency`);
  return details
    .filter(({ name }) => !currencies.includes(name))
    .map((detail) => {
      const side = AMOUNTS.find((each) => detail.name === `${each}Amount`);
      return side === undefined ? detail : { ...detail, currency: valueOf(details, `${side}Currency`) };
    });
}

function valueOf(details: readonly Detail[], name: string): string | null {
  return details.find((detail) => detail.name === name)?.values[0] ?? null;
}
