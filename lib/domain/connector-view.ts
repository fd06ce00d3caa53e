import type { LookupFinding } from './lookup-finding';
import type { Verdict } from './lookup-verdict';
import type { RefusalCode } from './refusals';

/** What a version of a connector says, or what would be said. */
export interface ConnectorContent {
  /** 0: there is none yet. */
  readonly version: number;
  readonly retired: boolean;
  /** As stored; not checked against the schema of this build. */
  readonly recipe: unknown;
}

/** A recipe that the product brings along, as somebody chooses it and fills it in. */
export interface ShippedRecipeView {
  readonly name: string;
  /** The published description that it was proven against. */
  readonly source: string;
  readonly settings: readonly {
    readonly name: string;
    readonly example: string;
    /** What stands there when nothing is filled in; null where something must be. */
    readonly default: string | null;
    /** Of a regular expression. */
    readonly pattern: string;
  }[];
}

/** What the form of a new connector begins with. */
export type ConnectorStart =
  | { readonly from: 'empty' }
  | { readonly from: 'shipped'; readonly recipes: readonly ShippedRecipeView[] }
  | {
      readonly from: 'shipped';
      readonly shipped: ShippedRecipeView;
      readonly given: Readonly<Record<string, string>>;
      /** Null until every setting has its form. */
      readonly recipe: unknown;
    }
  | { readonly from: 'copy'; readonly connectors: readonly ConnectorRow[] }
  | { readonly from: 'copy'; readonly of: string; readonly recipe: unknown };

/** One line of the connectors page. */
export interface ConnectorRow {
  readonly connectorId: string;
  /** Null: for every tenant. */
  readonly tenantName: string | null;
  /** 0: proposed for the first time, and in force nowhere. */
  readonly version: number;
  readonly retired: boolean;
  readonly waiting: boolean;
  readonly system: string;
  readonly baseUrl: string;
  readonly updatedAt: string;
}

/** A change that one administrator asked for and another has to confirm. */
export interface ConnectorProposalView {
  readonly proposalId: string;
  /** Of what would hold; its version is the one that was seen. */
  readonly content: ConnectorContent;
  readonly reason: string;
  readonly requestedBy: { readonly personId: string; readonly displayName: string };
  readonly requestedAt: string;
  readonly expiresAt: string;
  /** Why the reader cannot confirm it; null: can. */
  readonly confirmRefusal: RefusalCode | null;
}

export interface ConnectorVersionView extends ConnectorContent {
  readonly at: string;
  readonly by: { readonly personId: string | null; readonly displayName: string };
  /** Who had asked for it; null for what was installed. */
  readonly proposedBy: { readonly personId: string; readonly displayName: string } | null;
  readonly reason: string | null;
}

/** One connector's page. */
export interface ConnectorView extends ConnectorContent {
  readonly connectorId: string;
  readonly tenantId: string | null;
  readonly tenantName: string | null;
  /** The deployment's own entry: it may ask a service on this machine. */
  readonly allowPrivate: boolean;
  /** Operations of the reader's tenants whose results it looks up. */
  readonly operations: readonly string[];
  readonly proposal: ConnectorProposalView | null;
  /** Newest first; the one in force is the first. */
  readonly versions: readonly ConnectorVersionView[];
  /** Why the reader cannot propose a change; null: can. */
  readonly changeRefusal: RefusalCode | null;
}

/** The request as it would go out: dots where a secret goes. */
export interface TrialRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly {
    readonly name: string;
    readonly value: string;
    readonly secrets: readonly string[];
  }[];
  /** Of a database: the one statement and its parameters in order; null by HTTP. */
  readonly statement: { readonly sql: string; readonly parameters: readonly string[] } | null;
}

/** What the outside system answered, and what a lookup would make of it. */
export interface TrialFinding {
  readonly finding: LookupFinding;
  readonly verdict: Verdict;
  /** Before this instant "not found" would prove nothing yet. */
  readonly usableFrom: string;
  /** Milliseconds; in steps for failures. */
  readonly durationMs: number | null;
}

export type TrialAnswer =
  | {
      readonly outcome: 'shown';
      /** The execution whose values were used; null: those that were typed. */
      readonly execution: {
        readonly executionId: string;
        readonly operation: string;
        readonly key: string;
      } | null;
      /** Null: nothing can be asked, and `fault` says why. */
      readonly request: TrialRequest | null;
      readonly fault: LookupFinding['errorClass'];
      /** Names of secrets that this server has no `SECRET_<NAME>` for. */
      readonly missing: readonly string[];
      /** Names of secrets that do not go to this address before two administrators have said so. */
      readonly withheld: readonly string[];
      /** Null: not asked. */
      readonly found: TrialFinding | null;
    }
  | { readonly outcome: 'refused'; readonly code: RefusalCode; readonly faults?: readonly string[] }
  /** Something broke on the way; nothing was decided or kept, so it can be tried again. */
  | { readonly outcome: 'unknown' };
