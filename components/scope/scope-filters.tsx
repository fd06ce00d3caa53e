'use client';

import { visibleText } from '@/lib/domain/visible-text';
import { FilterMenu } from '../data-table/filter-menu';

interface ScopeFiltersProps {
  labels: { operation: string; tenant: string };
  operations: readonly string[];
  /** What choosing an operation would leave. */
  countOf?: (operation: string) => string;
  tenants: readonly { tenantId: string; displayName: string }[];
}

/** Of which operations and tenants a list is; who has one tenant is not asked for it. */
export function ScopeFilters({ labels, operations, countOf, tenants }: ScopeFiltersProps) {
  return (
    <>
      <FilterMenu
        multiple
        name="operation"
        label={labels.operation}
        choices={operations.map((operation) => ({
          value: operation,
          label: visibleText(operation),
          ...(countOf === undefined ? {} : { count: countOf(operation) }),
        }))}
      />
      {tenants.length > 1 && (
        <FilterMenu
          multiple
          name="tenant"
          label={labels.tenant}
          choices={tenants.map(({ tenantId, displayName }) => ({
            value: tenantId,
            label: visibleText(displayName),
          }))}
        />
      )}
    </>
  );
}
