import { describe, expect, it } from 'vitest';
import { ROLES, type Role } from './actor';
import { ACTS, canDo, hasRoleFor, refusePermission, type Act } from './permissions';

const person = (roles: Role[], authorities: string[] = ['money'], personId = 'me') => ({
  personId,
  roles,
  authorities,
  tenantIds: ['tenant-north'],
});
const subject = { tenantId: 'tenant-north', authority: 'money' };

// Written out once more by hand: the table under test is the same list, and a slip in it must show.
const ALLOWED: Record<Role, readonly Act[]> = {
  OPERATOR: [
    'desk.read',
    'audit.read',
    'exception.assign',
    'exception.comment',
    'exception.defer',
    'lookup.request',
    'evidence.record',
    'input.open',
    'decision.take',
    'confirmation.decide',
    'reissue.request',
    'request.withdraw',
  ],
  APPROVER: [
    'desk.read',
    'audit.read',
    'exception.assign',
    'exception.comment',
    'exception.defer',
    'lookup.request',
    'evidence.record',
    'input.open',
    'decision.take',
    'confirmation.decide',
    'reissue.request',
    'request.withdraw',
    'reissue.decide',
    'operation.resume',
  ],
  MANAGER: ['desk.read', 'audit.read', 'audit.export'],
  ADMIN: [
    'desk.read',
    'audit.read',
    'operation.resume',
    'people.manage',
    'policy.manage',
    'connector.manage',
    'token.manage',
  ],
};

describe('who may do what', () => {
  it.each(ROLES)('R-074a AZ-01 the acts of %s', (role) => {
    const can = ACTS.filter((act) => canDo(person([role]), act, subject));
    expect(new Set(can)).toEqual(new Set(ALLOWED[role]));
    expect(new Set(ACTS.filter((act) => hasRoleFor(person([role]), act)))).toEqual(new Set(ALLOWED[role]));
  });

  it('AZ-15 an administrator decides nothing, approves nothing, exports nothing', () => {
    for (const act of ['decision.take', 'reissue.decide', 'confirmation.decide', 'audit.export'] as const) {
      expect(refusePermission(person(['ADMIN']), act, subject)).toBe('ROLE_MISSING');
    }
  });

  it('R-098a another tenant is refused before anything else is said', () => {
    for (const act of ACTS) {
      expect(refusePermission(person([...ROLES]), act, { tenantId: 'tenant-south' })).toBe(
        'TENANT_NOT_GRANTED',
      );
    }
  });

  it('R-048a the operation’s authority is needed beside the role; general is held by all', () => {
    expect(refusePermission(person(['OPERATOR'], ['sending']), 'decision.take', subject)).toBe(
      'AUTHORITY_MISSING',
    );
    expect(
      refusePermission(person(['OPERATOR'], []), 'decision.take', {
        tenantId: 'tenant-north',
        authority: 'general',
      }),
    ).toBeNull();
    expect(
      refusePermission(person(['OPERATOR'], []), 'decision.take', { tenantId: 'tenant-north' }),
    ).toBeNull();
  });

  it('R-070a nobody decides what they asked for themselves, whatever their roles', () => {
    expect(refusePermission(person([...ROLES]), 'reissue.decide', { ...subject, requestedBy: 'me' })).toBe(
      'OWN_REQUEST',
    );
    expect(
      refusePermission(person([...ROLES]), 'reissue.decide', { ...subject, requestedBy: 'you' }),
    ).toBeNull();
  });

  it('nobody without a role does anything', () => {
    expect(ACTS.filter((act) => canDo(person([]), act, subject))).toEqual([]);
  });
});
