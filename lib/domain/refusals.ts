/**
 * Every expected "no" of the desk's commands with the words it is told in: a key of `decisions.refusal`. One total
 * record: a code that has no words does not compile, and a code that SQL answers and this does not know is a bug.
 */
const REFUSALS = {
  // What is asked for
  NOT_FOUND: 'notFound',
  INVALID_INPUT: 'invalidInput',
  OPERATION_ID_USED: 'operationIdUsed',
  SECRET_IN_TEXT: 'secretInText',
  SIGNED_OUT: 'signedOut',
  SHOWN_TO_ANOTHER: 'shownToAnother',
  ACCOUNT_DISABLED: 'accountDisabled',
  // Who asks
  ROLE_MISSING: 'roleMissing',
  AUTHORITY_MISSING: 'authorityMissing',
  SELF_APPROVAL: 'selfApproval',
  NOT_YOUR_REQUEST: 'notYourRequest',
  STEP_UP_NEEDED: 'stepUpNeeded',
  RIGHT_TOO_NEW: 'rightTooNew',
  NO_APPROVAL_POLICY: 'noApprovalPolicy',
  NOT_IN_GROUP: 'notInGroup',
  // Break-glass
  BREAK_GLASS_AUTHORITY_MISSING: 'breakGlassAuthorityMissing',
  BREAK_GLASS_UNREVIEWED: 'breakGlassUnreviewed',
  NOT_AN_EMERGENCY: 'notAnEmergency',
  TOOK_PART: 'tookPart',
  // People and tokens
  OWN_RIGHTS: 'ownRights',
  OTHER_TENANTS_TOO: 'otherTenantsToo',
  TENANT_MISSING: 'tenantMissing',
  TENANT_NOT_GRANTED: 'tenantNotGranted',
  NAME_MISSING: 'nameMissing',
  EMAIL_UNUSABLE: 'emailUnusable',
  EMAIL_TAKEN: 'emailTaken',
  NOTHING_CHANGED: 'nothingChanged',
  GRANT_IN_FLIGHT: 'grantInFlight',
  REQUESTER_NOT_ENTITLED: 'requesterNotEntitled',
  PERSON_DISABLED: 'personDisabled',
  LAST_ADMINISTRATOR: 'lastAdministrator',
  SESSION_OVER: 'sessionOver',
  PRINCIPAL_UNUSABLE: 'principalUnusable',
  TOKEN_ENDED: 'tokenEnded',
  TOKEN_REPLACED_ALREADY: 'tokenReplacedAlready',
  // Approval policies
  POLICY_INCOMPLETE: 'policyIncomplete',
  POLICY_UNSATISFIABLE: 'policyUnsatisfiable',
  PROPOSAL_IN_FLIGHT: 'proposalInFlight',
  // Connectors
  CONNECTOR_ID_TAKEN: 'connectorIdTaken',
  CONNECTOR_FOR_ALL: 'connectorForAll',
  ADDRESS_REFUSED: 'addressRefused',
  CREDENTIAL_WRITTEN: 'credentialWritten',
  SECRET_NOT_CONFIRMED: 'secretNotConfirmed',
  // Operation policies
  OPERATION_POLICY_INCOMPLETE: 'operationPolicyIncomplete',
  RETENTION_TOO_SHORT: 'retentionTooShort',
  CONNECTOR_UNKNOWN: 'connectorUnknown',
  POLICY_AGAINST_RECORDS: 'policyAgainstRecords',
  // Saved views
  NOT_YOUR_VIEW: 'notYourView',
  VIEW_NAME_TAKEN: 'viewNameTaken',
  TOO_MANY_VIEWS: 'tooManyViews',
  VIEW_NAMES_OTHER_TENANT: 'viewNamesOtherTenant',
  VIEW_OF_OTHER_TENANTS: 'viewOfOtherTenants',
  // What it stands on
  EXCEPTION_CLOSED: 'exceptionClosed',
  DECISION_NOT_FOR_KIND: 'decisionNotForKind',
  CHANGED_SINCE_SEEN: 'changedSinceSeen',
  STATE_NOT_SUITABLE: 'stateNotSuitable',
  LEDGER_REFUSED: 'ledgerRefused',
  LINEAGE_UNDER_REVIEW: 'lineageUnderReview',
  NO_EXECUTION: 'noExecution',
  NO_CONNECTOR: 'noConnector',
  INPUT_NOT_KEPT: 'inputNotKept',
  CONNECTOR_BUSY: 'connectorBusy',
  // Evidence
  EVIDENCE_MISSING: 'evidenceMissing',
  EVIDENCE_WRONG_SUBJECT: 'evidenceWrongSubject',
  EVIDENCE_SHOWS_OTHERWISE: 'evidenceShowsOtherwise',
  EVIDENCE_STALE: 'evidenceStale',
  HORIZON_NOT_OVER: 'horizonNotOver',
  EVIDENCE_PROVES_NOTHING: 'evidenceProvesNothing',
  EVIDENCE_CONTRADICTED: 'evidenceContradicted',
  EVIDENCE_DOES_NOT_MATCH: 'evidenceDoesNotMatch',
  EVIDENCE_CHANGED: 'evidenceChanged',
  CHECKED_IN_THE_FUTURE: 'checkedInTheFuture',
  CHECKED_BEFORE_THE_EXECUTION: 'checkedBeforeTheExecution',
  ACCOUNT_DIFFERS: 'accountDiffers',
  CONTENT_NOT_CONFIRMED: 'contentNotConfirmed',
  // Results
  RESULT_ID_MISSING: 'resultIdMissing',
  OTHER_RESULT_LINKED: 'otherResultLinked',
  RESULT_LINKED_ELSEWHERE: 'resultLinkedElsewhere',
  NOT_THIS_EFFECT: 'notThisEffect',
  RESULT_SHOWN_TWICE: 'resultShownTwice',
  NOT_CONCLUSIVE: 'notConclusive',
  // Incidents and providers' reports
  INCIDENT_CLOSED: 'incidentClosed',
  PROOF_NOT_BY_PRESENCE: 'proofNotByPresence',
  REPORT_UNREADABLE: 'reportUnreadable',
  REPORT_KNOWN: 'reportKnown',
  COLUMN_MISSING: 'columnMissing',
  CONTENT_NOT_NAMED: 'contentNotNamed',
  NOTHING_TO_APPLY: 'nothingToApply',
  NOT_IN_SAMPLE: 'notInSample',
  CHECKED_ALREADY: 'checkedAlready',
  SAMPLE_INCOMPLETE: 'sampleIncomplete',
  EFFECT_KNOWN: 'effectKnown',
  // Bulk jobs
  NOTHING_MATCHES: 'nothingMatches',
  SEVERAL_TENANTS: 'severalTenants',
  TOO_MANY: 'tooMany',
  SEARCH_TOO_BROAD: 'searchTooBroad',
  JOB_ENDED: 'jobEnded',
  JOB_STARTED_ALREADY: 'jobStartedAlready',
  JOB_NOT_RUNNING: 'jobNotRunning',
  JOB_NOT_PAUSED: 'jobNotPaused',
  // Form
  RATIONALE_LENGTH: 'rationaleLength',
  RATIONALE_SHORT: 'rationaleShort',
  TEXT_LENGTH: 'textLength',
  DEFER_TIME: 'deferTime',
  DEFER_PLACE: 'deferPlace',
  ASSIGNEE_NOT_SUITABLE: 'assigneeNotSuitable',
  MENTION_NOT_SUITABLE: 'mentionNotSuitable',
  SECONDS_OUT_OF_RANGE: 'secondsOutOfRange',
  ATTEMPTS_OUT_OF_RANGE: 'attemptsOutOfRange',
  RELATION_MISSING: 'relationMissing',
  RELATION_NOT_FOR_KIND: 'relationNotForKind',
  ORIGINAL_FATE_MISSING: 'originalFateMissing',
  INTAKE_MISSING: 'intakeMissing',
  OUTCOME_MISSING: 'outcomeMissing',
  OTHER_FATE_MISSING: 'otherFateMissing',
  COMPENSATION_ID_MISSING: 'compensationIdMissing',
  BUSINESS_IMPACT_MISSING: 'businessImpactMissing',
  // Requests
  REQUEST_IN_FLIGHT: 'requestInFlight',
  REQUEST_ENDED: 'requestEnded',
  REQUEST_EXPIRED: 'requestExpired',
  REQUEST_VOID: 'requestVoid',
  DIGEST_MISMATCH: 'digestMismatch',
  DECIDED_BY_YOU_ALREADY: 'decidedByYouAlready',
} as const;

export type RefusalCode = keyof typeof REFUSALS;

export type RefusalKey = (typeof REFUSALS)[RefusalCode];

/** The message of each code, below `decisions.refusal`. */
export const REFUSAL_MESSAGES: Readonly<Record<RefusalCode, RefusalKey>> = REFUSALS;

export function isRefusalCode(value: unknown): value is RefusalCode {
  return typeof value === 'string' && Object.hasOwn(REFUSALS, value);
}
