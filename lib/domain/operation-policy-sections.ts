import type { PolicyMember } from './operation-policy';

/** How a member is written and read; the form, the facts and the differences follow it. */
export type MemberKind =
  | 'choice'
  | 'flag'
  | 'text'
  | 'authority'
  | 'instant'
  | 'span'
  | 'count'
  | 'path'
  | 'paths'
  | 'values'
  | 'types'
  | 'codes'
  | 'outcomes'
  | 'connector';

type Member = Exclude<PolicyMember, 'guide'>;

/** What a policy says, in the order in which people think of it. The guide is a section of its own. */
export const POLICY_SECTIONS = {
  effect: [
    'effectClass',
    'authority',
    'valueField',
    'valueCurrency',
    'proof',
    'resultIdRequired',
    'sharedResults',
  ],
  protection: [
    ...(['protectionClass', 'protectionDocument', 'protectionKeyScope', 'protectionValidUntil'] as const),
    ...([
      'protectionCheckedBy',
      'protectionCheckedAt',
      'dedupeWindowSeconds',
      'approvalRefRequired',
    ] as const),
  ],
  content: ['includeFields', 'excludeFields', 'fieldDefaults', 'fieldTypes', 'displayFields'],
  keys: ['keyless', 'allowPersonalKeys', 'businessRefUnique', 'singleExecutor'],
  failures: ['maxAttempts', 'transientCodes', 'outcomeCodes'],
  time: [
    ...([
      'leaseSeconds',
      'graceSeconds',
      'longRunningSeconds',
      'claimWithinSeconds',
      'retryWithinSeconds',
    ] as const),
    ...(['slaSeconds', 'conflictTolerance', 'conflictWindowSeconds'] as const),
  ],
  lookup: ['connectorId', 'negativeProofHorizonSeconds', 'evidenceMaxAgeSeconds'],
  retention: [
    ...(['retransmissionSeconds', 'offlineReturnSeconds', 'manualReprocessingSeconds'] as const),
    ...(['investigationSeconds', 'retentionSeconds'] as const),
  ],
} as const satisfies Record<string, readonly Member[]>;

export type PolicySection = keyof typeof POLICY_SECTIONS;
export const POLICY_SECTION_NAMES = Object.keys(POLICY_SECTIONS) as PolicySection[];

export const MEMBER_KINDS = {
  effectClass: 'choice',
  authority: 'authority',
  valueField: 'path',
  valueCurrency: 'text',
  proof: 'choice',
  resultIdRequired: 'flag',
  sharedResults: 'flag',
  protectionClass: 'choice',
  protectionDocument: 'text',
  protectionKeyScope: 'text',
  protectionValidUntil: 'instant',
  protectionCheckedBy: 'text',
  protectionCheckedAt: 'instant',
  dedupeWindowSeconds: 'span',
  approvalRefRequired: 'flag',
  includeFields: 'paths',
  excludeFields: 'paths',
  fieldDefaults: 'values',
  fieldTypes: 'types',
  displayFields: 'paths',
  keyless: 'choice',
  allowPersonalKeys: 'flag',
  businessRefUnique: 'flag',
  singleExecutor: 'choice',
  maxAttempts: 'count',
  transientCodes: 'codes',
  outcomeCodes: 'outcomes',
  leaseSeconds: 'span',
  graceSeconds: 'span',
  longRunningSeconds: 'span',
  claimWithinSeconds: 'span',
  retryWithinSeconds: 'span',
  slaSeconds: 'span',
  conflictTolerance: 'count',
  conflictWindowSeconds: 'span',
  connectorId: 'connector',
  negativeProofHorizonSeconds: 'span',
  evidenceMaxAgeSeconds: 'span',
  retransmissionSeconds: 'span',
  offlineReturnSeconds: 'span',
  manualReprocessingSeconds: 'span',
  investigationSeconds: 'span',
  retentionSeconds: 'span',
} as const satisfies Record<Member, MemberKind>;

export type ListedMember = Member;
