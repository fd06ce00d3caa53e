import { actStage } from './act-stage';
import type { Amount } from './amount';
import { detailOf, memberOf, readAuditBody, saysNoneOf } from './audit-body';
import type { AuditRecord } from './audit-events';
import { isDecision, originalEffectOf } from './audit-grounds';
import type { IntakeDisposition } from './dispositions';
import { RELATIONS, type Relation } from './decisions';
import { readExposure, type ReissueExposure } from './reissue-exposure';
import { isExecutionState } from './states';

type Told = Pick<AuditRecord, 'event' | 'outcome' | 'executionId' | 'body' | 'texts'>;

/** What a person had before them when they asked or decided, as the act's event tells it (R-088v). */
export interface ShownThen {
  /** Whoever asks has decided nothing. */
  readonly to: 'ASKED' | 'DECIDED';
  readonly lookupId: string | null;
  /** `UNTOLD`: from before it was recorded. */
  readonly look: 'LOOK' | 'NONE' | 'UNTOLD';
  /** Whether the act, or the request that it answers, stands on that very look. */
  readonly restsOn: 'IT' | 'OTHER' | 'NONE';
  readonly basisId: string | null;
  /** The act has no look of its own and rests on its request's. */
  readonly basisOfRequest: boolean;
  /** Of a new key alone. */
  readonly exposure: ReissueExposure | null;
  readonly relation: Relation | null;
}

/** What came for the execution between the look and the act. */
export interface ArrivalsBetween {
  readonly count: number;
  /** RFC 3339. */
  readonly lastAt: string;
  readonly answer: IntakeDisposition;
}

/** Null for what no person settled or asked for; a review of an emergency looks back at what others settled. */
export function shownThen(event: Told, request: Told | null): ShownThen | null {
  if (!isDecision(event) || event.event === 'break_glass.reviewed') return null;
  const lookupId = memberOf(event, 'shownEvidenceId');
  const own = memberOf(event, 'evidenceId');
  const evidenceId = own ?? (request && memberOf(request, 'evidenceId'));
  return {
    to: actStage(event.event) === 'REQUESTED' ? 'ASKED' : 'DECIDED',
    lookupId,
    look: lookupId !== null ? 'LOOK' : saysNoneOf(event, 'shownEvidenceId') ? 'NONE' : 'UNTOLD',
    restsOn: evidenceId === null ? 'NONE' : evidenceId === lookupId ? 'IT' : 'OTHER',
    basisId: evidenceId,
    basisOfRequest: own === null && evidenceId !== null,
    exposure: exposureIn(event),
    relation: RELATIONS.find((each) => each === detailOf(event, 'relation')) ?? null,
  };
}

/** What a new key would leave standing beside its original, as the event tells it. */
function exposureIn(event: Told): ReissueExposure | null {
  const state = detailOf(event, 'originalState');
  const effect = originalEffectOf(event);
  if (effect === null || !isExecutionState(state)) return null;
  const [original, added, both] = (['original', 'new', 'both'] as const).map((side) => amountIn(event, side));
  return readExposure({
    ...{ originalState: state, originalEffect: effect },
    originalEffects: Number(detailOf(event, 'originalEffects') ?? 1),
    originalResultId: detailOf(event, 'originalResultId'),
    ...{ originalAmount: original?.value ?? null, originalCurrency: original?.currency ?? null },
    ...{ newAmount: added?.value ?? null, newCurrency: added?.currency ?? null },
    ...{ bothAmount: both?.value ?? null, bothCurrency: both?.currency ?? null },
    bothEffects: Number(detailOf(event, 'bothEffects') ?? 2),
  });
}

/** An amount that an event tells of one side, in clear. */
function amountIn(event: Told, side: 'stake' | 'original' | 'new' | 'both'): Amount | null {
  const value = detailOf(event, `${side}Amount`);
  return value === null ? null : { value, currency: detailOf(event, `${side}Currency`) };
}

/** By what people know the work that an event is about. */
export interface AuditSubject {
  readonly businessRef: string | null;
  readonly key: string;
}

/** What an event says to be at stake in it: what a new key adds, else the value of the work. */
export const stakeIn = (event: Told): Amount | null =>
  amountIn(event, 'stake') ?? amountIn(event, 'new') ?? amountIn(event, 'original');

/** What each execution of a story is worth, where its events tell it in clear: its own amount, and that of a key made for it. */
export function amountsIn(story: readonly Told[]): ReadonlyMap<string, Amount> {
  const told = story.flatMap((event) => {
    const own = amountIn(event, 'stake') ?? amountIn(event, 'original');
    return [
      [event.executionId, own],
      [detailOf(event, 'newExecutionId'), amountIn(event, 'new')],
    ] as const;
  });
  return new Map(
    told.flatMap(([id, amount]) => (id === null || amount === null ? [] : [[id, amount] as const])),
  );
}

const OF_EXPOSURE = [
  ...['originalState', 'originalEffect', 'originalEffects', 'originalResultId', 'originalAmount'],
  ...['newAmount', 'bothAmount', 'bothEffects'],
];
const OF_EVIDENCE = ['evidenceId', 'evidenceOnDeciding', 'evidenceAfterApproval'];

/**
 * Members of an act that its page tells under headings of their own: they are no further details (R-088v). `evidence`: the
 * page has the look that the act stands on.
 */
export function toldElsewhere(event: Told, evidence: boolean): ReadonlySet<string> {
  const { changes } = readAuditBody(event.body, event.texts ?? null);
  const changed = changes.filter(({ after }) => after.length > 0).map(({ name }) => name);
  if (!isDecision(event)) return new Set(['onBehalfOf', 'authorityNeeded']);
  return new Set([
    ...['onBehalfOf', 'authorityNeeded', 'shownEvidenceId', 'stakeAmount', ...changed],
    ...(exposureIn(event) === null ? [] : OF_EXPOSURE),
    ...(evidence ? OF_EVIDENCE : []),
  ]);
}
