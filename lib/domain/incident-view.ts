import type { FieldComparison } from './compare-content';
import type { ExceptionState } from './exception-kinds';
import type { PersonRef } from './person-ref';
import type { RefusalCode } from './refusals';
import type { ReportVerdict, RowReason } from './report-verdict';

/** An outage as the queue tells it. */
export interface IncidentLine {
  readonly incidentId: string;
  readonly tenantName: string;
  readonly system: string;
  readonly since: string;
  /** How many of its results are open, of how many. */
  readonly open: number;
  readonly members: number;
}

export interface IncidentMember {
  readonly exceptionId: string;
  readonly operation: string;
  readonly key: string;
  readonly state: ExceptionState;
  readonly resultId: string | null;
}

/** An operation that unknown results of the outage belong to, as a report's form needs it. */
export interface IncidentOperation {
  readonly operation: string;
  /** Placeholders that the connector compares: every one has to be named. */
  readonly compared: readonly string[];
  /** Placeholders of the fields that are kept in clear, and of the business reference. */
  readonly shown: readonly string[];
}

export const REPORT_STATES = [
  'JUDGED',
  'PROPOSED',
  'CONFIRMED',
  'APPLIED',
  'REFUSED',
  'WITHDRAWN',
  'EXPIRED',
] as const;
export type ReportState = (typeof REPORT_STATES)[number];

export interface ReportLine {
  readonly reportId: string;
  readonly operation: string;
  readonly fileName: string;
  readonly state: ReportState;
  readonly rows: number;
  readonly judgedAt: string;
  readonly judgedBy: PersonRef;
}

export interface IncidentView extends IncidentLine {
  readonly now: string;
  readonly state: 'OPEN' | 'CLOSED';
  readonly openedAt: string;
  readonly closedAt: string | null;
  readonly page: readonly IncidentMember[];
  /** The cursor of the next page of members; null on the last. */
  readonly next: string | null;
  readonly operations: readonly IncidentOperation[];
  readonly reports: readonly ReportLine[];
  /** Why this person cannot have the members looked up, or judge a report. */
  readonly actRefusal: RefusalCode | null;
}

export const ROW_OUTCOMES = ['LINKED', 'REFUSED', 'ORPHAN_OPENED', 'FAILED'] as const;
export type RowOutcome = (typeof ROW_OUTCOMES)[number];

export interface RowCheck {
  readonly by: PersonRef;
  readonly at: string;
  readonly agrees: boolean;
  readonly place: string;
  readonly address: string | null;
  readonly remark: string | null;
}

export interface ReportRowView {
  readonly rowNumber: number;
  readonly verdict: ReportVerdict;
  readonly reason: RowReason | null;
  readonly matchValue: string | null;
  readonly resultId: string | null;
  readonly statusWord: string | null;
  readonly account: string | null;
  readonly exceptionId: string | null;
  readonly orphanId: string | null;
  readonly accountMatch: boolean | null;
  readonly comparison: readonly FieldComparison[];
  readonly sampled: boolean;
  readonly check: RowCheck | null;
  readonly outcome: RowOutcome | null;
  /** Why it was refused; of a row that failed an error's class. */
  readonly outcomeCode: string | null;
  /** What stopped a row that waits, and when it is tried again; null while nothing did. */
  readonly setAside: { readonly error: string; readonly failures: number; readonly nextTryAt: string } | null;
}

export interface ReportView {
  readonly now: string;
  readonly incidentId: string;
  readonly system: string;
  readonly tenantName: string;
  readonly reportId: string;
  readonly operation: string;
  readonly authority: string;
  readonly fileName: string;
  readonly sha256: string;
  readonly rowCount: number;
  readonly asOf: string;
  readonly state: ReportState;
  readonly judgedAt: string;
  readonly expiresAt: string;
  readonly decidedAt: string | null;
  readonly judgedBy: PersonRef;
  readonly proposedBy: PersonRef | null;
  readonly decidedBy: PersonRef | null;
  /** What stopped the application of a confirmed report, and when it is tried again; null while nothing does. */
  readonly heldUp: {
    readonly since: string;
    readonly failures: number;
    readonly error: string;
    readonly nextTryAt: string;
  } | null;
  readonly verdicts: Readonly<Partial<Record<ReportVerdict, number>>>;
  readonly outcomes: Readonly<Partial<Record<RowOutcome, number>>>;
  /** Rows without an outcome that failed and are tried again later: none of `outcomes`. */
  readonly setAside: number;
  readonly sample: readonly ReportRowView[];
  readonly page: readonly ReportRowView[];
  readonly next: string | null;
  /** Open members that no row names, the first of them: absence from a report proves nothing. */
  readonly absent: readonly IncidentMember[];
  readonly absentCount: number;
  readonly proposeRefusal: RefusalCode | null;
  readonly checkRefusal: RefusalCode | null;
  readonly confirmRefusal: RefusalCode | null;
  readonly endRefusal: RefusalCode | null;
}

/** What a report says of an effect that no execution knows. */
export interface OrphanFacts {
  readonly incidentId: string | null;
  readonly reportId: string;
  readonly fileName: string;
  readonly rowNumber: number;
  readonly system: string;
  readonly resultId: string;
  readonly account: string | null;
  readonly status: string | null;
  readonly matchValue: string | null;
  readonly found: readonly FieldComparison[];
}

/** How an exception belongs to an outage. */
export interface OutageOf {
  readonly incident: {
    readonly incidentId: string;
    readonly system: string;
    readonly state: 'OPEN' | 'CLOSED';
  } | null;
  readonly orphan: OrphanFacts | null;
}
