// Who may reach what: every page, route handler and server action of the build, and who gets past its door. What they may
// then do to which thing is `lib/domain/permissions.ts`. e2e/access-matrix.spec.ts compares the build with this file and asks
// each entry as every kind of caller: a missing entry fails, and so does one that is no longer built.
import { ROLES, type Role } from '@/lib/domain/actor';

export type Caller = 'anonymous' | 'producer' | Role;

const EVERYBODY: readonly Caller[] = ['anonymous', 'producer', ...ROLES];
const SIGNED_IN: readonly Caller[] = ROLES;
// An approver can do what an operator can.
const OPERATORS: readonly Caller[] = ['OPERATOR', 'APPROVER'];
const MANAGERS: readonly Caller[] = ['MANAGER'];
const ADMINS: readonly Caller[] = ['ADMIN'];
const PRODUCERS: readonly Caller[] = ['producer'];

interface AccessPolicy {
  /** By address, as the build names it. */
  pages: Readonly<Record<string, readonly Caller[]>>;
  /** By address, then by method: every other method is answered with 4xx. */
  routes: Readonly<Record<string, Readonly<Record<string, readonly Caller[]>>>>;
  /** By source file, then by export. */
  actions: Readonly<Record<string, Readonly<Record<string, readonly Caller[]>>>>;
}

const EXCEPTION_ACTIONS = [
  ...['linkResultAction', 'confirmKnownResultAction', 'confirmNotAppliedAction', 'extendAction'],
  ...['declareUnknownAction', 'keepOriginalAction', 'allowAttemptsAction', 'recordKeyRuleAction'],
  ...['requestEffectSettlementAction', 'failFinallyAction', 'requestReissueAction', 'lookUpNowAction'],
  ...['addManualEvidenceAction', 'assignExceptionAction', 'commentExceptionAction'],
  ...['deferExceptionAction', 'openInputAction', 'linkTicketAction'],
];

export const ACCESS_POLICY: AccessPolicy = {
  pages: {
    '/': SIGNED_IN,
    '/account/inbox': SIGNED_IN,
    '/account/notifications': SIGNED_IN,
    '/account/sessions': SIGNED_IN,
    '/admin/assignment': ADMINS,
    '/admin/connectors': ADMINS,
    '/admin/connectors/[id]': ADMINS,
    '/admin/connectors/[id]/change': ADMINS,
    '/admin/new-connector': ADMINS,
    '/admin/people': ADMINS,
    '/admin/people/[id]': ADMINS,
    // What is promised of an operation and who approves what is no secret; changing it is the administrators'.
    '/admin/policies': SIGNED_IN,
    '/admin/policies/change': ADMINS,
    '/admin/policies/operation': SIGNED_IN,
    '/admin/tokens': ADMINS,
    '/approvals': SIGNED_IN,
    '/approvals/[id]': SIGNED_IN,
    '/audit': SIGNED_IN,
    '/audit/[number]': SIGNED_IN,
    '/docs': EVERYBODY,
    '/exceptions/[id]': SIGNED_IN,
    '/executions': SIGNED_IN,
    '/executions/[id]': SIGNED_IN,
    '/help': SIGNED_IN,
    '/login': EVERYBODY,
    '/login/again': EVERYBODY,
    '/login/link': EVERYBODY,
    '/login/password': SIGNED_IN,
    '/queue': SIGNED_IN,
    '/queue/split': SIGNED_IN,
    '/queue/incidents/[id]': SIGNED_IN,
    '/queue/incidents/[id]/reports/[report]': SIGNED_IN,
    '/queue/jobs': SIGNED_IN,
    // And whoever started it.
    '/queue/jobs/[id]': MANAGERS,
  },
  routes: {
    '/api/auth/[...nextauth]': { GET: EVERYBODY, POST: EVERYBODY },
    '/api/health': { GET: EVERYBODY },
    '/api/ready': { GET: EVERYBODY },
    '/api/v1/[[...path]]': { GET: PRODUCERS, POST: PRODUCERS },
    '/audit/export': { POST: MANAGERS },
    '/exceptions/[id]/presence': { POST: SIGNED_IN },
    '/queue/changes': { GET: SIGNED_IN },
    '/queue/incidents/[id]/reports': { POST: OPERATORS },
    '/queue/incidents/[id]/reports/[report]/rows': { POST: SIGNED_IN },
    '/queue/jobs/[id]/rows': { POST: MANAGERS },
  },
  actions: {
    'app/(desk)/account/inbox/actions.ts': { markReadAction: SIGNED_IN },
    'app/(desk)/account/notifications/actions.ts': { chooseNotificationsAction: SIGNED_IN },
    'app/(desk)/account/sessions/actions.ts': { endOwnSessionsAction: SIGNED_IN, settleOwnAction: SIGNED_IN },
    'app/(desk)/admin/assignment/actions.ts': {
      setAssignmentRuleAction: ADMINS,
      settleAssignmentAction: SIGNED_IN,
    },
    'app/(desk)/admin/connectors/actions.ts': {
      proposeConnectorAction: ADMINS,
      decideConnectorAction: ADMINS,
      tryConnectorAction: ADMINS,
      settleConnectorAction: SIGNED_IN,
    },
    'app/(desk)/admin/people/actions.ts': {
      invitePersonAction: ADMINS,
      changeRightsAction: ADMINS,
      decideGrantAction: ADMINS,
      setDisabledAction: ADMINS,
      resetPersonAction: ADMINS,
      endSessionsAction: ADMINS,
      settlePeopleAction: SIGNED_IN,
    },
    'app/(desk)/admin/policies/actions.ts': {
      proposePolicyAction: ADMINS,
      proposeOperationPolicyAction: ADMINS,
      decidePolicyAction: ADMINS,
      settlePolicyAction: SIGNED_IN,
    },
    'app/(desk)/admin/tokens/actions.ts': {
      createTokenAction: ADMINS,
      rotateTokenAction: ADMINS,
      revokeTokenAction: ADMINS,
      settleTokenAction: SIGNED_IN,
    },
    'app/(desk)/approvals/[id]/actions.ts': {
      decideRequestAction: OPERATORS,
      // The requester's alone, whoever that is: nobody else may, with whatever role.
      withdrawRequestAction: [],
      // Takes an authority that goes with no role.
      breakGlassAction: [],
      reviewBreakGlassAction: ['APPROVER'],
      settleOperationAction: SIGNED_IN,
    },
    'app/(desk)/exceptions/[id]/actions.ts': {
      ...Object.fromEntries(EXCEPTION_ACTIONS.map((name) => [name, OPERATORS])),
      resumeOperationAction: ['APPROVER', 'ADMIN'],
      watchExceptionAction: SIGNED_IN,
      settleOperationAction: SIGNED_IN,
    },
    'app/(desk)/executions/[id]/actions.ts': {
      openInputAction: OPERATORS,
      settleOperationAction: SIGNED_IN,
    },
    'app/(desk)/help/actions.ts': { keepTourAction: SIGNED_IN },
    'app/(desk)/queue/actions.ts': { actOnManyAction: OPERATORS, previewLinksAction: SIGNED_IN },
    'app/(desk)/queue/incidents/actions.ts': {
      lookUpIncidentAction: OPERATORS,
      proposeReportAction: OPERATORS,
      checkSampleRowAction: OPERATORS,
      decideReportAction: OPERATORS,
      settleIncidentAction: SIGNED_IN,
    },
    'app/(desk)/queue/jobs/actions.ts': {
      prepareBulkJobAction: OPERATORS,
      // Its starter's alone, with whatever role; managers pause and end it.
      steerBulkJobAction: [],
      settleBulkJobAction: SIGNED_IN,
    },
    // A person's own settings; whose view it is, the data-access layer asks.
    'app/(desk)/queue/views/actions.ts': {
      keepViewAction: SIGNED_IN,
      // Its owner's and, of a shared one, an administrator's; asked of a view that is nobody's.
      removeViewAction: [],
      chooseQueueColumnsAction: SIGNED_IN,
    },
    'app/login/password/actions.ts': { choosePasswordAction: SIGNED_IN },
  },
};
