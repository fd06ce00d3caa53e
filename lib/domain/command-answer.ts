import type { PolicyContent } from './approval-policy';
import type { ConnectorContent } from './connector-view';
import type { ExternalStatus, LookupOutcome } from './lookup-verdict';
import type { OperationPolicyContent } from './operation-policy';
import type { RefusalCode } from './refusals';
import type { ReportFault } from './report-limits';
import type { SecretKind } from './secret-screen';

/** Why a report's file is refused as a whole. */
export interface FileFault {
  readonly fault?: ReportFault;
  readonly line?: number | null;
  /** With COLUMN_MISSING. */
  readonly columns?: readonly string[];
  /** With CONTENT_NOT_NAMED: what the connector compares, as placeholders. */
  readonly fields?: readonly string[];
}

/** What a command of the desk comes to. A value in every case that was foreseen; only faults throw. */
export type CommandAnswer =
  | {
      readonly outcome: 'done';
      /** The same operation id was sent before: this is the answer of that time. */
      readonly repeated: boolean;
      /** Where the original input lies; with `input.opened`, and only the first time. */
      readonly inputRef?: string;
      /** A newer look exists, so this evidence stands under the earlier ones; with `evidence.recorded`. */
      readonly filedEarlier?: true;
      /** A secret that this answer alone carries: a one-time link, a token. Absent when repeated: it is nowhere kept. */
      readonly shownOnce?: string;
      /** The report that was judged. */
      readonly reportId?: string;
      /** The bulk job that was prepared or steered. */
      readonly jobId?: string;
      /** What became of each member that was to be looked up; null: it is planned. */
      readonly planned?: readonly { readonly exceptionId: string; readonly code: RefusalCode | null }[];
    }
  | {
      /** Nothing has happened yet: another person decides. */
      readonly outcome: 'requested';
      readonly repeated: boolean;
      readonly requestId: string;
    }
  | {
      readonly outcome: 'refused';
      readonly code: RefusalCode;
      /** What kinds of secrets a text seems to hold; with SECRET_IN_TEXT. */
      readonly secrets?: readonly SecretKind[];
      /** Members of the input that are wrong; with INVALID_INPUT. */
      readonly faults?: readonly string[];
      /** Who decided instead; with REQUEST_ENDED. */
      readonly decidedBy?: string | null;
      /** With REQUEST_VOID. */
      readonly voidReason?: string | null;
      /** The policy that holds by now, or the change that waits; with CHANGED_SINCE_SEEN and PROPOSAL_IN_FLIGHT. */
      readonly policy?: PolicyContent;
      /** The same of a connector. */
      readonly connector?: ConnectorContent;
      /** The same where it is the operation's own policy. */
      readonly operationPolicy?: OperationPolicyContent;
      /** What the outside system shows now; with EVIDENCE_CHANGED. */
      readonly shows?: { readonly outcome: LookupOutcome; readonly externalStatus: ExternalStatus | null };
      /** What is wrong with a report's file, and where. */
      readonly file?: FileFault;
      /** The report that stands already; with REPORT_KNOWN. */
      readonly reportId?: string;
    }
  /** The answer was lost: whether it happened is not known yet; the operation id settles it. */
  | { readonly outcome: 'unknown' };
