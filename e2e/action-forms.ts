import { randomUUID } from 'node:crypto';
import { DEFAULT_SETTINGS } from '@/lib/domain/notification-settings';
import { POLICY_CONTENT } from '@/lib/testing/operation-policy-content';
import { SCENE_RECIPE, type Scene, type SceneCaller } from './access-scene';
import { type ActionForm } from './http-person';

const STALE = '999999';
const RATIONALE = 'Looked at both systems, order by order.';

const decision = (exceptionId: string | undefined) => ({
  ...{ exceptionId, exceptionVersion: STALE, executionVersion: STALE },
  ...{ operationId: randomUUID(), rationale: RATIONALE },
});
const evidence = { evidenceId: randomUUID(), lookAgain: false };
const act = (exceptionId: string | undefined) => {
  const { exceptionVersion, operationId } = decision(exceptionId);
  return { exceptionId, exceptionVersion, operationId };
};
const personForm = ({ personId }: Scene) => ({
  ...{ personId, version: STALE, reason: RATIONALE, operationId: randomUUID() },
});

type FormOf = (scene: Scene, caller: SceneCaller) => unknown;

/**
 * A form of each action that its schema takes and that changes nothing even for those who may: of an earlier version, or
 * about what has ended. So that what is answered tells who may, and the next caller finds the same.
 */
const FORMS: Record<string, FormOf> = {
  linkResultAction: ({ exceptions }) => ({ ...decision(exceptions['UNKNOWN_RESULT']), ...evidence }),
  confirmKnownResultAction: ({ exceptions }) => decision(exceptions['EXPIRED_KEY']),
  confirmNotAppliedAction: ({ exceptions }) => ({ ...decision(exceptions['UNKNOWN_RESULT']), ...evidence }),
  failFinallyAction: ({ exceptions }) => decision(exceptions['UNKNOWN_RESULT']),
  extendAction: ({ exceptions }) => ({ ...decision(exceptions['STUCK_PROCESSING']), seconds: 600 }),
  declareUnknownAction: ({ exceptions }) => decision(exceptions['STUCK_PROCESSING']),
  keepOriginalAction: ({ exceptions }) => decision(exceptions['CONTENT_CONFLICT']),
  allowAttemptsAction: ({ exceptions }) => ({ ...decision(exceptions['UNCLAIMED']), attempts: 2 }),
  recordKeyRuleAction: ({ exceptions }) => ({
    ...decision(exceptions['KEY_MISSING']),
    acceptUnprotected: false,
  }),
  resumeOperationAction: ({ exceptions }) => decision(exceptions['OPERATION_PAUSED']),
  requestEffectSettlementAction: ({ exceptions }) => ({
    ...decision(exceptions['ORPHAN_EFFECT']),
    ...{ outcome: 'NOT_OURS', resultId: null, resultUrl: null, businessImpact: 'none at all' },
    ...{ otherFate: 'KEPT', compensationId: null },
  }),
  requestReissueAction: ({ exceptions }) => ({
    ...decision(exceptions['UNKNOWN_RESULT']),
    ...{ relation: 'RETRY_AS_NEW', originalFate: 'never happened', intakeId: null },
    ...{ evidenceId: null, lookAgain: false },
  }),
  lookUpNowAction: ({ exceptions }) => ({ exceptionId: exceptions['UNKNOWN_RESULT'] }),
  addManualEvidenceAction: ({ exceptions }) => ({
    ...{ exceptionId: exceptions['UNKNOWN_RESULT'], executionVersion: STALE, operationId: randomUUID() },
    ...{ place: 'Console', seen: 'Nothing.', verdict: 'UNCLEAR', contentAgrees: false },
  }),
  assignExceptionAction: ({ exceptions }) => ({ ...act(exceptions['UNKNOWN_RESULT']), assigneeId: null }),
  commentExceptionAction: ({ exceptions }) => ({ ...act(exceptions['UNKNOWN_RESULT']), text: '' }),
  deferExceptionAction: ({ exceptions }) => ({
    ...act(exceptions['UNKNOWN_RESULT']),
    ...{ until: '2100-01-01T00:00:00Z', place: 'Report', reason: '' },
  }),
  linkTicketAction: ({ exceptions }) => ({
    ...act(exceptions['UNKNOWN_RESULT']),
    address: null,
    label: null,
  }),
  watchExceptionAction: ({ exceptions }) => ({ exceptionId: exceptions['UNKNOWN_RESULT'], watches: false }),
  // Ends a rule that is not there.
  setAssignmentRuleAction: () => ({
    ...{ tenantId: 'tenant-north', operation: 'of-no-rule', authority: null },
    ...{ mode: null, assigneeId: null, operationId: randomUUID() },
  }),
  settleAssignmentAction: () => randomUUID(),
  openInputAction: ({ executionId }) => ({ executionId, operationId: randomUUID(), rationale: RATIONALE }),
  decideRequestAction: ({ requestId }) => ({
    ...{ requestId, operationId: randomUUID(), digest: '0'.repeat(64) },
    ...{ verdict: 'APPROVE', rationale: RATIONALE, lookAgain: false },
  }),
  withdrawRequestAction: ({ requestId }) => ({ requestId, operationId: randomUUID() }),
  breakGlassAction: ({ requestId }) => ({
    ...{ requestId, operationId: randomUUID(), digest: '0'.repeat(64), reason: RATIONALE },
  }),
  reviewBreakGlassAction: ({ requestId }) => ({
    ...{ requestId, operationId: randomUUID(), finding: 'JUSTIFIED', rationale: RATIONALE },
  }),
  proposePolicyAction: ({ operation }) => ({
    ...{ tenantId: 'tenant-north', operation, version: 999_999, removes: true, steps: [] },
    ...{ minRationale: 10, approvalTtlSeconds: 86_400, executionTtlSeconds: 3_600 },
    ...{ reason: RATIONALE, operationId: randomUUID() },
  }),
  proposeOperationPolicyAction: ({ operation }) => ({
    ...{ tenantId: 'tenant-north', operation, version: 999_999, content: POLICY_CONTENT },
    ...{ reason: RATIONALE, operationId: randomUUID() },
  }),
  decidePolicyAction: ({ proposalId }) => ({
    ...{ proposalId, verdict: 'CONFIRM', reason: RATIONALE, operationId: randomUUID() },
  }),
  settlePolicyAction: () => randomUUID(),
  proposeConnectorAction: ({ connectorId }) => ({
    ...{ connectorId, tenantId: 'tenant-north', version: 999_999, retires: false, recipe: SCENE_RECIPE },
    ...{ reason: RATIONALE, operationId: randomUUID() },
  }),
  decideConnectorAction: ({ connectorProposalId }) => ({
    ...{ proposalId: connectorProposalId, verdict: 'CONFIRM', reason: RATIONALE, operationId: randomUUID() },
  }),
  // Shows what would be sent, and asks nobody.
  tryConnectorAction: ({ connectorId }) => ({
    ...{ connectorId, tenantId: 'tenant-north', recipe: SCENE_RECIPE, asks: false },
    subject: { kind: 'sample', values: { '{key}': 'K-1' }, proof: 'PRESENCE' },
  }),
  settleConnectorAction: () => randomUUID(),
  lookUpIncidentAction: ({ incidentId }) => ({ incidentId, operationId: randomUUID() }),
  proposeReportAction: ({ reportId }) => ({ reportId, operationId: randomUUID() }),
  checkSampleRowAction: ({ reportId }) => ({
    ...{ reportId, rowNumber: 2, agrees: true, place: 'Console', address: null, text: null },
    operationId: randomUUID(),
  }),
  decideReportAction: ({ reportId }) => ({
    ...{ reportId, verdict: 'CONFIRM', reason: RATIONALE, operationId: randomUUID() },
  }),
  settleIncidentAction: () => randomUUID(),
  prepareBulkJobAction: ({ exceptions }) => ({
    ...{
      act: 'defer',
      until: '2100-01-01T00:00:00Z',
      place: 'Report',
      reason: '',
      operationId: randomUUID(),
    },
    source: { of: 'rows', rows: [{ exceptionId: exceptions['UNKNOWN_RESULT'], exceptionVersion: STALE }] },
  }),
  steerBulkJobAction: ({ jobId }) => ({ jobId, step: 'resume', operationId: randomUUID() }),
  settleBulkJobAction: () => randomUUID(),
  actOnManyAction: ({ exceptions }) => {
    const row = act(exceptions['UNKNOWN_RESULT']);
    return {
      ...{ act: 'assign', assigneeId: null, operationId: randomUUID() },
      ...{ rows: [row], only: [row.operationId] },
    };
  },
  // Of none: what is found is told to whoever may read the exceptions, as on their pages.
  previewLinksAction: () => [],
  // Shared with a tenant that its filter does not name: told to everybody who may save one, and not kept.
  keepViewAction: () => ({
    ...{ viewId: randomUUID(), version: null, name: 'Of the south', address: '?tenant=tenant-south' },
    tenantIds: ['tenant-north'],
  }),
  removeViewAction: () => ({ viewId: randomUUID(), version: 1 }),
  chooseQueueColumnsAction: () => ({ columns: null }),
  keepTourAction: () => ({ state: 'LEFT', place: 0 }),
  // Own wishes: nobody's notification, and what holds without a choice.
  markReadAction: () => ({ ids: [randomUUID()] }),
  chooseNotificationsAction: () => DEFAULT_SETTINGS,
  settleOperationAction: () => randomUUID(),
  settleOwnAction: () => randomUUID(),
  settlePeopleAction: () => randomUUID(),
  settleTokenAction: () => randomUUID(),
  endOwnSessionsAction: (_, { personId }) => ({
    ...{ personId: personId ?? randomUUID(), sessionId: randomUUID(), operationId: randomUUID() },
  }),
  invitePersonAction: () => ({
    ...{ email: `${randomUUID()}@demo.local`, displayName: 'New', reason: '', operationId: randomUUID() },
    ...{ roles: ['OPERATOR'], authorities: [], tenantIds: ['tenant-north'] },
  }),
  changeRightsAction: (scene) => ({
    ...personForm(scene),
    ...{ roles: ['MANAGER'], authorities: [], tenantIds: ['tenant-north'] },
  }),
  decideGrantAction: (scene) => ({ ...personForm(scene), grantId: randomUUID(), verdict: 'CONFIRM' }),
  setDisabledAction: (scene) => ({ ...personForm(scene), disabled: true }),
  resetPersonAction: personForm,
  endSessionsAction: ({ personId }) => ({ personId, sessionId: randomUUID(), operationId: randomUUID() }),
  createTokenAction: () => ({
    ...{ tenantId: 'tenant-north', principalId: 'south-automation', operations: null },
    ...{ expiresInDays: 1, operationId: randomUUID() },
  }),
  rotateTokenAction: ({ tokenId }) => ({
    ...{ tokenId, overlapHours: 0, expiresInDays: 1, operationId: randomUUID() },
  }),
  revokeTokenAction: ({ tokenId }) => ({ tokenId, operationId: randomUUID() }),
};

export function formOf(name: string, scene: Scene, caller: SceneCaller): ActionForm {
  if (name === 'choosePasswordAction') return { parts: passwordParts() };
  const form = FORMS[name];
  if (form === undefined)
    throw new Error(
      `${name} is a new action: add to e2e/action-forms.ts a form that its schema takes and that changes nothing, \`${name}: ({ … }) => ({ … }),\``,
    );
  return { args: [form(scene, caller)] };
}

/** As the framework sends a form beside the state that the page holds. */
function passwordParts(): FormData {
  const parts = new FormData();
  parts.set('1_present', 'not the password');
  parts.set('1_next', 'short');
  parts.set('0', JSON.stringify([{ kind: 'idle' }, '$K1']));
  return parts;
}
