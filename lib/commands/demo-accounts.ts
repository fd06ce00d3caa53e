// Who exists in a demo installation. Source: contract, "Roles".
import type { Role } from '@/lib/domain/actor';

export const DEMO_TENANTS = [
  { tenantId: 'tenant-north', displayName: 'North (demo)' },
  { tenantId: 'tenant-south', displayName: 'South (demo)' },
] as const;

const NORTH = ['tenant-north'];
const BOTH = ['tenant-north', 'tenant-south'];
const EVERY_AUTHORITY = ['money', 'sending', 'deletion', 'rights'];

interface DemoPerson {
  readonly account: string;
  readonly displayName: string;
  readonly roles: readonly Role[];
  readonly authorities: readonly string[];
  readonly tenantIds: readonly string[];
}

const person = (
  account: string,
  displayName: string,
  role: Role,
  authorities: readonly string[],
  tenantIds: readonly string[],
): DemoPerson => ({ account, displayName, roles: [role], authorities, tenantIds });

export const DEMO_PEOPLE: readonly DemoPerson[] = [
  person('operator', 'Olivia Operator', 'OPERATOR', EVERY_AUTHORITY, NORTH),
  person('operator2', 'Oscar Operator', 'OPERATOR', [], NORTH),
  person('approver', 'Ada Approver', 'APPROVER', EVERY_AUTHORITY, NORTH),
  person('approver2', 'Axel Approver', 'APPROVER', EVERY_AUTHORITY, NORTH),
  person('manager', 'Mina Manager', 'MANAGER', [], BOTH),
  person('admin', 'Anna Admin', 'ADMIN', [], BOTH),
  person('admin2', 'Adam Admin', 'ADMIN', [], BOTH),
];

/** Principals that use the HTTP API; each gets a token in DATA_DIR/demo-tokens.json. */
export const DEMO_AUTOMATIONS = [
  { principalId: 'north-automation', tenantId: 'tenant-north', displayName: 'Automation of North (demo)' },
  { principalId: 'south-automation', tenantId: 'tenant-south', displayName: 'Automation of South (demo)' },
] as const;

/** The principal of a program that writes SQL, and its login role. */
export const DEMO_SQL_PRODUCER = {
  principalId: 'north-sql',
  tenantId: 'tenant-north',
  displayName: 'SQL program of North (demo)',
  loginRole: 'north_sql',
} as const;

export const demoEmail = (account: string): string => `${account}@demo.local`;
