import type {
  ActivityView,
  AttemptView,
  DecisionView,
  EvidenceView,
  ExceptionView,
  ExecutionFacts,
  IntakeView,
  LateReportView,
} from './exception-view';
import type { RequestSummary } from './request-summary';

/** One moment of the exception's story; attempts and leases give several. */
export type Moment = { readonly id: string; readonly at: string } & (
  | { readonly type: 'arrival'; readonly intake: IntakeView }
  | { readonly type: 'attempt-started'; readonly attempt: AttemptView }
  | { readonly type: 'effect-started'; readonly attempt: AttemptView }
  | { readonly type: 'attempt-ended'; readonly attempt: AttemptView }
  | { readonly type: 'lease-over' }
  | { readonly type: 'late-report'; readonly report: LateReportView }
  /** `count` looks in a row that came to the same; `lookup` and `at` are the last one's. */
  | { readonly type: 'lookup'; readonly lookup: EvidenceView; readonly count: number }
  | { readonly type: 'decision'; readonly decision: DecisionView }
  /** `said`: what whoever asked or answered for a second person wrote. */
  | { readonly type: 'activity'; readonly activity: ActivityView; readonly said: string | null }
);

/** What a story is told from: an exception's, or that of an execution with all of its exceptions. */
export interface TimelineFacts extends Pick<
  ExceptionView,
  'now' | 'arrivals' | 'attempts' | 'lateReports' | 'evidence' | 'decisions' | 'activity' | 'requests'
> {
  readonly execution: Pick<ExecutionFacts, 'leaseExpiresAt'> | null;
}

/** Told by a row of their own; the activity's entry would only repeat them. */
const TOLD_ELSEWHERE: readonly string[] = ['evidence', 'decided'];

/** Order of things that carry the same instant, as one transaction gives them. */
const RANK: Readonly<Record<Moment['type'], number>> = {
  arrival: 0,
  'attempt-started': 1,
  'effect-started': 2,
  'lease-over': 3,
  'attempt-ended': 4,
  'late-report': 5,
  activity: 6,
  lookup: 7,
  decision: 8,
};

/** Everything that happened, on one time axis, oldest first. Instants are compared as text: all are UTC to the microsecond. */
export function timelineOf(view: TimelineFacts): readonly Moment[] {
  const { execution, now } = view;
  const lease = execution?.leaseExpiresAt ?? null;
  // The lease of an attempt that has reported before is no event.
  const last = view.attempts.at(-1);
  const silent = last !== undefined && (last.endedAt === null || (lease !== null && last.endedAt > lease));
  const moments: Moment[] = [
    ...view.arrivals.shown.map((intake): Moment => ({
      type: 'arrival',
      id: intake.intakeId,
      at: intake.receivedAt,
      intake,
    })),
    ...view.attempts.flatMap(ofAttempt),
    ...(lease !== null && silent && lease <= now
      ? [{ type: 'lease-over', id: 'lease', at: lease } as const]
      : []),
    ...view.lateReports.map((report): Moment => ({
      type: 'late-report',
      id: report.reportId,
      at: report.receivedAt,
      report,
    })),
    ...view.evidence.map((lookup): Moment => ({
      type: 'lookup',
      id: lookup.lookupId,
      at: padded(lookup.checkedAt),
      lookup,
      count: 1,
    })),
    ...view.decisions.map((decision): Moment => ({
      type: 'decision',
      id: decision.decisionId,
      at: decision.at,
      decision,
    })),
    ...view.activity
      .filter(
        (activity) => !TOLD_ELSEWHERE.includes(activity.event) && !isPassedThrough(activity, view.requests),
      )
      .map((activity): Moment => ({
        type: 'activity',
        id: activity.eventId,
        at: activity.at,
        activity,
        said: saidIn(activity, view.requests),
      })),
  ];
  return moments.sort((a, b) => compare(a.at, b.at) || RANK[a.type] - RANK[b.type] || compare(a.id, b.id));
}

/** A confirmation is approved and carried out in one transaction: its end alone is told. */
function isPassedThrough({ event, detail }: ActivityView, requests: readonly RequestSummary[]): boolean {
  if (event !== 'request_ended' || detail['state'] !== 'APPROVED') return false;
  const request = requests.find((each) => each.requestId === detail['requestId']);
  return request !== undefined && request.kind !== 'REISSUE';
}

/** The reason of a request stands where it was asked, an approver's where they answered. */
function saidIn({ event, actor, detail }: ActivityView, requests: readonly RequestSummary[]): string | null {
  const request = requests.find((each) => each.requestId === detail['requestId']);
  if (request === undefined) return null;
  if (event === 'requested') return request.rationale;
  if (event !== 'request_ended') return null;
  return request.verdicts.find(({ approverId }) => approverId === actor.id)?.rationale ?? null;
}

function ofAttempt(attempt: AttemptView): Moment[] {
  const moments: Moment[] = [
    { type: 'attempt-started', id: `start-${attempt.attempt}`, at: attempt.startedAt, attempt },
  ];
  if (attempt.effectStartedAt !== null)
    moments.push({
      type: 'effect-started',
      id: `effect-${attempt.attempt}`,
      at: attempt.effectStartedAt,
      attempt,
    });
  if (attempt.endedAt !== null)
    moments.push({ type: 'attempt-ended', id: `end-${attempt.attempt}`, at: attempt.endedAt, attempt });
  return moments;
}

/** Milliseconds written out to microseconds, so that texts of both kinds compare. */
function padded(at: string): string {
  return at.replace(/\.(\d{3})Z$/, '.$1000Z');
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
