// One vocabulary for the ways in: a case says what it sends and what it expects, a door says it in its own language.
import type { ReportVerb } from '@/lib/ledger/protocol';

/** A claim or registration. Members are those of the HTTP API. */
export interface Sent {
  readonly key: string;
  readonly operation: string;
  /** The payload, its members in canonical order; SQL producers send the fingerprint of its text. */
  readonly content?: Readonly<Record<string, string | number>>;
  readonly requestId?: string;
  readonly contentVersion?: string;
  readonly target?: { readonly system: string; readonly account: string };
  readonly businessRef?: string;
  readonly approvalRef?: Readonly<Record<string, unknown>>;
  readonly owner?: string;
  readonly leaseSeconds?: number;
  readonly attemptId?: string;
}

/** An executor's report; `response.body` is the text to be kept, JSON as JavaScript prints it. */
export interface Reported {
  readonly fencingToken?: string;
  readonly resultId?: string;
  readonly resultUrl?: string;
  readonly target?: { readonly system: string; readonly account: string };
  readonly response?: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  readonly retryable?: boolean;
  readonly code?: string;
  readonly message?: string;
  readonly basis?: 'NOT_SENT' | 'PROVIDER_TRANSIENT' | 'LOOKUP';
  readonly reason?: string;
}

/** What a caller was told, in the words of the contract. Members that an answer does not have are left out. */
export interface Told {
  /** The disposition of work or of a result that is handed over (`REPLAYED` for a stored response), else the code. */
  readonly word: string;
  readonly executionId?: string;
  readonly fencingToken?: string;
  readonly attempt?: number;
  readonly state?: string;
  readonly leaseExpiresAt?: string;
  readonly owner?: string;
  readonly retryAfterSeconds?: number;
  readonly replay?: { readonly status: number; readonly location: string | null; readonly body: string };
  readonly resultId?: string;
  readonly resultUrl?: string;
  readonly failureCode?: string;
  readonly newKey?: string;
  readonly newExecutionId?: string;
  readonly underReview?: boolean;
  readonly sendBefore?: string;
}

export interface Door {
  claim(sent: Sent): Promise<Told>;
  register(sent: Sent): Promise<Told>;
  report(verb: ReportVerb, executionId: string, reported: Reported): Promise<Told>;
  close(): Promise<void>;
}

/** Where the doors lead: addresses only, so that another process can open them too. */
export interface Ledger {
  /** Of a SQL producer's own login role. */
  readonly sqlUrl: string;
  readonly apiUrl: string;
  readonly token: string;
}

/** Drops members that an answer does not have. */
export function told(members: { readonly [Name in keyof Told]: Told[Name] | null }): Told {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value != null)) as unknown as Told;
}

/** The members of a JSON answer that a case may look at: the others are the record's own and tested with the API. */
export function toldMembers(word: string, body: object): Told {
  const { executionId, fencingToken, attempt, state, leaseExpiresAt, owner, retryAfterSeconds } =
    body as Told;
  const { resultId, resultUrl, failureCode, newKey, newExecutionId, underReview, sendBefore } = body as Told;
  const work = { executionId, fencingToken, attempt, state, leaseExpiresAt, owner, retryAfterSeconds };
  return told({
    word,
    ...work,
    resultId,
    resultUrl,
    failureCode,
    newKey,
    newExecutionId,
    underReview,
    sendBefore,
  });
}

export const contentOf = (sent: Sent) => sent.content ?? { amount: 100 };
