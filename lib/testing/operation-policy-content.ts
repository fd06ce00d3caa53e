import { type OperationPolicyContent } from '@/lib/domain/operation-policy';

/** An operation policy that its schema takes: what the built-in default says. */
export const POLICY_CONTENT: OperationPolicyContent = {
  ...{ effectClass: 'IRREVERSIBLE', authority: 'general', valueField: null, valueCurrency: null },
  ...{ proof: 'PRESENCE', resultIdRequired: true, sharedResults: false, protectionClass: 'NONE' },
  ...{ protectionDocument: null, protectionKeyScope: null, protectionValidUntil: null },
  ...{ protectionCheckedBy: null, protectionCheckedAt: null, dedupeWindowSeconds: null },
  ...{ approvalRefRequired: false, includeFields: [], excludeFields: [], fieldDefaults: {} },
  ...{ fieldTypes: {}, displayFields: [], keyless: 'REFUSE', allowPersonalKeys: false },
  ...{ businessRefUnique: false, singleExecutor: 'BUSINESS_REFERENCE', maxAttempts: 3 },
  ...{ transientCodes: [], outcomeCodes: null, leaseSeconds: 60, graceSeconds: 30 },
  ...{ longRunningSeconds: 3_600, claimWithinSeconds: 300, retryWithinSeconds: 3_600 },
  ...{ slaSeconds: 14_400, conflictTolerance: null, conflictWindowSeconds: 3_600, connectorId: null },
  ...{ negativeProofHorizonSeconds: 600, evidenceMaxAgeSeconds: 900, retransmissionSeconds: 0 },
  ...{ offlineReturnSeconds: 0, manualReprocessingSeconds: 0, investigationSeconds: 0 },
  ...{ retentionSeconds: 7_776_000, guide: null },
};
