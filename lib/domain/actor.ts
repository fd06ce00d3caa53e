import type { Locale } from './messages/catalogue';

export type { Locale };

/** What a person may be on the desk. Source: contract, "Roles". */
export const ROLES = ['OPERATOR', 'APPROVER', 'MANAGER', 'ADMIN'] as const;
export type Role = (typeof ROLES)[number];

/** Authorities are data: an installation can name more. These are the demo's; `general` is held by everybody who decides. */
export const GENERAL_AUTHORITY = 'general';

/** Who has it may have a new key made alone, in an emergency. */
export const BREAK_GLASS_AUTHORITY = 'break-glass';

/** What permission predicates look at. */
export interface Rights {
  readonly roles: readonly Role[];
  readonly authorities: readonly string[];
  readonly tenantIds: readonly string[];
}

/** The person asking, as the database had them in this request. */
export interface Actor extends Rights {
  readonly personId: string;
  readonly displayName: string;
  readonly email: string;
  /** The person's choice; null follows the browser. */
  readonly locale: Locale | null;
  readonly sessionId: string;
}

export function isRole(value: unknown): value is Role {
  return (ROLES as readonly unknown[]).includes(value);
}
