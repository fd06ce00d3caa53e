import { GENERAL_AUTHORITY, type Rights, type Role } from './actor';

type Demand = { readonly roles: readonly Role[]; readonly authority: boolean };

const everybody: readonly Role[] = ['OPERATOR', 'APPROVER', 'MANAGER', 'ADMIN'];
// An approver can do what an operator can (contract, "Roles").
const operators: readonly Role[] = ['OPERATOR', 'APPROVER'];

/** Every act of the desk with who may do it: the one table that pages and commands read. Source: R-074, contract "Roles". */
const DEMANDS = {
  'desk.read': { roles: everybody, authority: false },
  'audit.read': { roles: everybody, authority: false },
  'audit.export': { roles: ['MANAGER'], authority: false },
  'exception.assign': { roles: operators, authority: true },
  'exception.comment': { roles: operators, authority: true },
  'exception.defer': { roles: operators, authority: true },
  'lookup.request': { roles: operators, authority: true },
  'evidence.record': { roles: operators, authority: true },
  'input.open': { roles: operators, authority: true },
  'decision.take': { roles: operators, authority: true },
  'confirmation.decide': { roles: operators, authority: true },
  'reissue.request': { roles: operators, authority: true },
  'reissue.decide': { roles: ['APPROVER'], authority: true },
  'request.withdraw': { roles: operators, authority: false },
  'operation.resume': { roles: ['ADMIN', 'APPROVER'], authority: true },
  'people.manage': { roles: ['ADMIN'], authority: false },
  'policy.manage': { roles: ['ADMIN'], authority: false },
  'connector.manage': { roles: ['ADMIN'], authority: false },
  'token.manage': { roles: ['ADMIN'], authority: false },
} as const satisfies Record<string, Demand>;

export type Act = keyof typeof DEMANDS;

export const ACTS = Object.keys(DEMANDS) as Act[];

/** What the act is done to. `authority` is the operation's; absent for acts that need none. */
export interface Subject {
  readonly tenantId: string;
  readonly authority?: string;
  /** Who asked for what is now to be decided: never the one who decides (four eyes). */
  readonly requestedBy?: string;
}

export type PermissionRefusal = 'TENANT_NOT_GRANTED' | 'ROLE_MISSING' | 'AUTHORITY_MISSING' | 'OWN_REQUEST';

/** Why this person may not open the original input; null: may. */
export type InputRefusal = 'ROLE_MISSING' | 'AUTHORITY_MISSING' | null;

/** for pages, which show only what lies in the person's tenants. */
export function refuseOpeningInput(rights: Rights, subject: Subject): InputRefusal {
  const refusal = refusePermission(rights, 'input.open', subject);
  return refusal === 'AUTHORITY_MISSING' || refusal === null ? refusal : 'ROLE_MISSING';
}

/** Why these rights do not carry the act; null when they do. A foreign tenant is said first, and shown as "not found". */
export function refusePermission(
  rights: Rights & { readonly personId?: string },
  act: Act,
  subject: Subject,
): PermissionRefusal | null {
  const demand: Demand = DEMANDS[act];
  if (!rights.tenantIds.includes(subject.tenantId)) return 'TENANT_NOT_GRANTED';
  if (!demand.roles.some((role) => rights.roles.includes(role))) return 'ROLE_MISSING';
  if (demand.authority && !hasAuthority(rights, subject.authority ?? GENERAL_AUTHORITY))
    return 'AUTHORITY_MISSING';
  if (subject.requestedBy !== undefined && subject.requestedBy === rights.personId) return 'OWN_REQUEST';
  return null;
}

/** Who has the role for an act: any of these. */
export const rolesFor = (act: Act): readonly Role[] => DEMANDS[act].roles;

/** The act's role alone, for what concerns no single tenant: a menu entry, an installation-wide page. */
export function hasRoleFor(rights: Rights, act: Act): boolean {
  const demand: Demand = DEMANDS[act];
  return demand.roles.some((role) => rights.roles.includes(role));
}

export function canDo(rights: Rights & { readonly personId?: string }, act: Act, subject: Subject): boolean {
  return refusePermission(rights, act, subject) === null;
}

/** `general` is the built-in default policy's authority, which every operator and approver has. */
export function hasAuthority(rights: Rights, authority: string): boolean {
  return authority === GENERAL_AUTHORITY || rights.authorities.includes(authority);
}
