import 'server-only';
import { appendAudit } from '@/lib/db/append-audit';
import { constraintOf, SQLSTATE, sqlstateOf } from '@/lib/db/sqlstate';
import type { Pool } from '@/lib/db/pool';
import { transaction, type TransactionContext } from '@/lib/db/transaction';
import type { Locale, Role } from '@/lib/domain/actor';
import { canonicalEmail } from '@/lib/domain/email-identity';
import { refusePassword, type PasswordRefusal } from '@/lib/domain/password-rules';
import { commonPasswords } from './common-passwords';
import { hashPassword } from './password';
import { createSignInLink } from './sign-in-link';

export interface NewPerson {
  email: string;
  displayName: string;
  /** Null: the person gets a one-time link and chooses one. */
  password: string | null;
  roles: readonly Role[];
  authorities: readonly string[];
  tenantIds: readonly string[];
  locale: Locale | null;
}

export type CreatePersonAnswer =
  | { kind: 'created'; personId: string; linkToken: string | null }
  | { kind: 'refused'; code: 'EMAIL_INVALID' | 'EMAIL_TAKEN' | 'TENANT_UNKNOWN' | PasswordRefusal };

/** Makes a person with all rights at once. For installation programs; the caller's context says who answers for it. */
export async function createPerson(
  pool: Pool,
  context: TransactionContext,
  person: NewPerson,
): Promise<CreatePersonAnswer> {
  const canonical = canonicalEmail(person.email);
  if (canonical === null) return { kind: 'refused', code: 'EMAIL_INVALID' };
  const { password } = person;
  if (password !== null) {
    const code = refusePassword(password, canonical, await commonPasswords());
    if (code) return { kind: 'refused', code };
  }
  const passwordHash = password === null ? null : await hashPassword(password);
  try {
    return await transaction(pool, context, async (tx) => {
      const { rows } = await tx.query<{ person_id: string }>(
        `insert into review.people
           (email, email_canonical, display_name, password_hash, roles, authorities, tenant_ids, locale)
         values ($1, $2, $3, $4, $5, $6, $7, $8) returning person_id`,
        [
          person.email.trim(),
          canonical,
          person.displayName,
          passwordHash,
          person.roles,
          person.authorities,
          person.tenantIds,
          person.locale,
        ],
      );
      const personId = rows[0]?.person_id;
      if (personId === undefined) throw new Error('bug: insert into people returned no row');
      const linkToken = password === null ? await createSignInLink(tx, personId, context.actor.id) : null;
      await appendAudit(tx, {
        event: 'people.created',
        outcome: 'done',
        body: {
          personId,
          after: { roles: person.roles, authorities: person.authorities, tenantIds: person.tenantIds },
        },
      });
      return { kind: 'created', personId, linkToken };
    });
  } catch (error) {
    const state = sqlstateOf(error);
    if (state === SQLSTATE.uniqueViolation && constraintOf(error) === 'people_email_canonical_key') {
      return { kind: 'refused', code: 'EMAIL_TAKEN' };
    }
    if (state === SQLSTATE.foreignKeyViolation) return { kind: 'refused', code: 'TENANT_UNKNOWN' };
    throw error;
  }
}
