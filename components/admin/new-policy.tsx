'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { type TenantChoice } from '@/lib/domain/person-row';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { ActDialog } from './act-dialog';
import { contentOf, FIRST_DRAFT } from './policy-draft';
import { PolicyFields } from './policy-fields';
import { type PolicyActions } from './policy-actions';

interface NewPolicyProps {
  tenants: readonly TenantChoice[];
  authorities: readonly string[];
  actions: PolicyActions;
}

const OPERATION = /^[\x21-\x7e]{1,128}$/;

/** Asks for the first policy of an operation, which need not be known yet. */
export function NewPolicy({ tenants, authorities, actions }: NewPolicyProps) {
  const t = useTranslations('admin.policies');
  const [tenantId, setTenantId] = useState(tenants[0]?.tenantId ?? '');
  const [operation, setOperation] = useState('');
  const [draft, setDraft] = useState(FIRST_DRAFT);
  const named = OPERATION.test(operation);
  return (
    <ActDialog
      look="primary"
      label={t('new')}
      title={t('new')}
      lead={t('changeLead')}
      submit={t('propose')}
      act={actions.propose}
      settle={actions.settle}
      input={() => {
        const content = contentOf(draft);
        return named && content !== null ? { ...content, tenantId, operation, version: 0 } : null;
      }}
    >
      {(tried) => (
        <>
          <Field label={t('field.tenant')} required>
            {(control) => (
              <Select
                {...control}
                name="tenant"
                value={tenantId}
                onChange={(event) => setTenantId(event.target.value)}
                choices={tenants.map((each) => ({ value: each.tenantId, label: each.displayName }))}
              />
            )}
          </Field>
          <Field
            label={t('field.operation')}
            required
            error={tried && !named ? t('field.operationWrong') : undefined}
          >
            {(control) => (
              <Input
                {...control}
                name="operation"
                maxLength={128}
                value={operation}
                onChange={(event) => setOperation(event.target.value)}
              />
            )}
          </Field>
          <PolicyFields draft={draft} authorities={authorities} tried={tried} onChange={setDraft} />
        </>
      )}
    </ActDialog>
  );
}
