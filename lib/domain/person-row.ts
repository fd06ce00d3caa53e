import type { BrowserName } from './browser-name';
import type { Role } from './actor';
import type { RefusalCode } from './refusals';

/** How a person stands: invited ones have no way in of their own yet. */
export const PERSON_STATES = ['ACTIVE', 'INVITED', 'DISABLED'] as const;
export type PersonState = (typeof PERSON_STATES)[number];

/** A tenant of the reader's own. */
export interface TenantChoice {
  readonly tenantId: string;
  readonly displayName: string;
}

/** A person as an administrator's list shows them; tenants only as far as the reader sees them. */
export interface PersonRow {
  readonly personId: string;
  readonly displayName: string;
  readonly email: string;
  readonly roles: readonly Role[];
  readonly authorities: readonly string[];
  readonly tenants: readonly TenantChoice[];
  readonly state: PersonState;
  /** Whether rights wait for a second administrator. */
  readonly waiting: boolean;
  readonly lastSeenAt: string | null;
}

/** Rights that one administrator asked for and another has to confirm. */
export interface GrantView {
  readonly grantId: string;
  readonly roles: readonly Role[];
  readonly authorities: readonly string[];
  /** Tenants that come with it, as far as the reader sees them. */
  readonly tenants: readonly TenantChoice[];
  readonly reason: string;
  readonly requestedBy: { readonly personId: string; readonly displayName: string };
  readonly requestedAt: string;
  readonly expiresAt: string;
  /** Why the reader cannot confirm it; null: can. */
  readonly confirmRefusal: RefusalCode | null;
}

export interface PersonView extends PersonRow {
  readonly version: string;
  /** Through which provider they sign in; null: by password, or not yet. */
  readonly issuer: string | null;
  /** Roles that stand on the provider's word. */
  readonly providerRoles: readonly Role[];
  /** Why the reader cannot change this person; null: can. */
  readonly refusal: RefusalCode | null;
  readonly grant: GrantView | null;
}

/** A session that is open: where somebody is signed in. */
export interface SessionRow {
  readonly sessionId: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly userAgent: string | null;
  /** What the user agent calls itself, where that is known. */
  readonly browser: BrowserName | null;
  readonly sourceAddress: string | null;
}
