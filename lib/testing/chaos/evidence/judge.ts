// Compares what evidence says with what really happened, and counts. Pure.
import type { Case } from './cases';
import { claimOf, isConclusive, type Look, type Unknown } from './claims';
import { faultOf, type Thing } from './truth';

/** Milliseconds after its horizon within which an unknown result must have conclusive evidence. */
export const WITHIN_MS = 60_000;

export interface EvidenceResult {
  /** Unknown results of systems that can be asked. */
  readonly unknown: number;
  /** Those with conclusive evidence within the time. */
  readonly inTime: number;
  /** The rest, each with its story. */
  readonly late: readonly string[];
  /** Claims that the systems' own data contradict, each with its story. */
  readonly wrong: readonly string[];
  /** Claims compared with the systems' own data. */
  readonly compared: number;
  readonly looks: number;
  /** What was known of the unknown results in the end, by outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Milliseconds from the horizon to conclusive evidence, sorted; evidence that came before counts as 0. */
  readonly waits: readonly number[];
  /** Unknown results with conclusive evidence before their horizon. */
  readonly early: number;
}

export function judgeEvidence(
  unknowns: readonly Unknown[],
  cases: ReadonlyMap<string, Case>,
  things: readonly Thing[],
): EvidenceResult {
  const byReference = new Map<string, Thing[]>();
  for (const thing of things)
    byReference.set(thing.reference, [...(byReference.get(thing.reference) ?? []), thing]);
  const byId = new Map(things.map((thing) => [thing.id, thing]));
  const late: string[] = [];
  const wrong: string[] = [];
  const outcomes: Record<string, number> = {};
  const waits: number[] = [];
  let compared = 0;
  let inTime = 0;
  let early = 0;
  for (const { key, looks } of unknowns) {
    const about = cases.get(key);
    if (about === undefined) throw new Error(`bug: nobody was sent for ${key}`);
    const made = byReference.get(key) ?? [];
    const deleted = byId.get(String(about.payload.recordId));
    const whole = about.operation === 'delete-crm-record' ? (deleted === undefined ? [] : [deleted]) : made;
    for (const look of looks) {
      const claim = claimOf(look);
      if (claim === null) continue;
      compared += 1;
      const fault = faultOf(claim, about, whole);
      if (fault !== null) wrong.push(`${key} ${fault}, ${storyOf(about, looks, whole)}`);
    }
    const outcome = outcomeOf(looks);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    const wait = waitOf(looks);
    if (wait !== null) waits.push(Math.max(0, wait));
    if (wait !== null && wait <= 0) early += 1;
    if (wait !== null && wait <= WITHIN_MS) inTime += 1;
    else late.push(`${key} ${outcome}, ${storyOf(about, looks, whole)}`);
  }
  const counts = { unknown: unknowns.length, inTime, compared, early };
  const total = unknowns.reduce((sum, { looks }) => sum + looks.length, 0);
  return { ...counts, late, wrong, outcomes, looks: total, waits: waits.sort((a, b) => a - b) };
}

/** The share `part` of sorted numbers lies at or below this one; null of none. */
export function quantile(sorted: readonly number[], part: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? null;
}

/** Milliseconds from the horizon to the first conclusive evidence about the execution as it is; null: there is none. */
export function waitOf(looks: readonly Look[]): number | null {
  const current = looks.filter((look) => look.current);
  const horizon = Math.max(...current.map((look) => look.horizonAt));
  const first = current.find((look) => isTelling(look));
  return first === undefined ? null : first.recordedAt - horizon;
}

function isTelling(look: Look): boolean {
  const claim = claimOf(look);
  return claim !== null && isConclusive(claim);
}

/** In the words of the printed table. */
function outcomeOf(looks: readonly Look[]): string {
  const current = looks.filter((look) => look.current);
  const look = current.findLast((each) => claimOf(each) !== null) ?? current.at(-1);
  if (look === undefined) return 'never asked';
  const claim = claimOf(look);
  if (claim !== null) return OUTCOMES[claim.says];
  if (look.verdict === 'UNDER_WAY') return 'still under way';
  return look.verdict === 'NOT_APPLIED' ? '"not there", too early' : `${look.outcome.toLowerCase()} only`;
}

const OUTCOMES = {
  APPLIED: 'applied',
  NOT_APPLIED: 'not applied',
  REVERSED: 'reversed',
  SEVERAL: 'several effects',
  OTHER_THING: 'something else is there',
} as const;

function storyOf(about: Case, looks: readonly Look[], things: readonly Thing[]): string {
  const start = looks[0]?.checkedAt ?? things[0]?.at ?? 0;
  const after = (instant: number) => `${((instant - start) / 1000).toFixed(1)} s`;
  const asked = looks.map(
    ({ outcome, verdict, checkedAt, horizonAt, externalStatus, errorClass, resultId, current }) =>
      [
        ...[after(checkedAt), outcome, externalStatus, errorClass, verdict, resultId],
        ...[`horizon ${after(horizonAt)}`, current ? null : 'earlier version'],
      ]
        .filter((each) => each !== null)
        .join(' '),
  );
  const real = things.map(({ id, account, at, visibleAt, goneAt, reversedAt, method }) =>
    [
      ...[id, account, method, `made ${after(at)}, visible ${after(visibleAt)}`],
      ...[goneAt === null ? null : `deleted ${after(goneAt)}`],
      ...[reversedAt === null ? null : `reversed ${after(reversedAt)}`],
    ]
      .filter((each) => each !== null)
      .join(' '),
  );
  const spoilt = about.faults.map(({ kind, seconds }) => (seconds > 0 ? `${kind} ${seconds} s` : kind));
  return `${about.operation} (${spoilt.join(', ') || 'no fault'}); asked: ${asked.join(' | ') || 'never'}; outside: ${real.join(' | ') || 'nothing'}`;
}
