import type { Pool } from '@/lib/db/pool';
import { statement } from '@/lib/db/statement';
import type { FieldType, FingerprintPolicy } from '@/lib/domain/fingerprint';
import type { JsonValue } from './client/wire';

/** What the arrival of a request must know of its operation's policy. */
interface ArrivalPolicy extends FingerprintPolicy {
  readonly displayFields: readonly string[];
  readonly allowPersonalKeys: boolean;
}

export interface ArrivalPolicies {
  readonly inForce: ArrivalPolicy;
  /** All others, under which records may have been made; the built-in default is one of them. */
  readonly others: readonly ArrivalPolicy[];
}

interface PolicyRow {
  readonly version: number;
  readonly own: boolean;
  readonly retired: boolean;
  readonly include_fields: string[] | null;
  readonly exclude_fields: string[] | null;
  readonly field_defaults: Record<string, JsonValue>;
  readonly field_types: Record<string, FieldType>;
  readonly display_fields: string[];
  readonly allow_personal_keys: boolean;
}

const POLICIES = `
  select version, tenant_id <> '*' as own, retired_at is not null as retired, include_fields, exclude_fields,
         field_defaults, field_types, display_fields, allow_personal_keys
  from ledger.operation_policies
  where (tenant_id = $1 and operation = $2) or (tenant_id = '*' and operation = '*')
  order by (tenant_id = '*'), version desc`;

/** Read afresh for each arrival: a policy kept from before its change would make a conflict out of an equal request. */
export async function readArrivalPolicies(
  pool: Pool,
  tenantId: string,
  operation: string,
): Promise<ArrivalPolicies> {
  const { rows } = await statement<PolicyRow>(pool, POLICIES, [tenantId, operation], { repeatable: true });
  const inForce = rows.find((row) => row.own && !row.retired) ?? rows.find((row) => !row.own && !row.retired);
  if (inForce === undefined) throw new Error('bug: the built-in default policy is missing');
  return { inForce: toPolicy(inForce), others: rows.filter((row) => row !== inForce).map(toPolicy) };
}

function toPolicy(row: PolicyRow): ArrivalPolicy {
  return {
    version: row.version,
    include: row.include_fields ?? [],
    exclude: row.exclude_fields ?? [],
    defaults: row.field_defaults,
    types: row.field_types,
    displayFields: row.display_fields,
    allowPersonalKeys: row.allow_personal_keys,
  };
}
