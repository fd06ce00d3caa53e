import type { AuditRecord } from '@/lib/domain/audit-events';

/** An event for tests of what pages say: Ada's look as an operator, unless told otherwise. */
export const auditEvent = (number: number, own: Partial<AuditRecord>, body: object): AuditRecord => ({
  ...{ number: `${number}`, eventId: `e${number}`, occurredAt: '2026-11-30T00:00:20.000000Z' },
  ...{ event: 'lookup.recorded', outcome: 'done', refusalCode: null },
  ...{ actorKind: 'person', actorId: 'p', actorName: 'Ada', actorRoles: ['OPERATOR'], tenantId: 't' },
  ...{ exceptionId: 'x', executionId: null, approvalRequestId: null, operation: null, operationId: null },
  ...{ httpRequestId: 'r', sourceAddress: null, previousHash: '', hash: '' },
  ...{ body: JSON.stringify(body), ...own },
});
