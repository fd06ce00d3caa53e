import { type Rights } from '@/lib/domain/actor';
import { canDo } from '@/lib/domain/permissions';

/** Pages about one operation's policies. A name can hold any visible character, so it stands in the query. */
export function policyAddress(page: 'operation' | 'change', tenantId: string, operation: string): string {
  return `/admin/policies/${page}?${new URLSearchParams({ tenant: tenantId, operation }).toString()}`;
}

/** Where the reader may write an operation's guide; null for who may not. */
export function guideForm(reader: Rights, tenantId: string, operation: string): string | null {
  return canDo(reader, 'policy.manage', { tenantId })
    ? `${policyAddress('change', tenantId, operation)}#guide`
    : null;
}
