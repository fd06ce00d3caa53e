'use client';

import { useTranslations } from 'next-intl';
import { type TenantChoice } from '@/lib/domain/person-row';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Panel } from '../ui/panel';
import { Select } from '../ui/select';

/** Leads to the policies of an operation that the list does not have: a plain form, whose answer is an address. */
export function FindOperation({ tenants }: { tenants: readonly TenantChoice[] }) {
  const t = useTranslations('policies.list');
  return (
    <Panel title={t('find')}>
      <p className="mb-3 text-xs text-ink-muted">{t('findLead')}</p>
      <form action="/admin/policies/operation" className="flex flex-wrap items-end gap-3">
        <div className="min-w-40 flex-1 md:max-w-56">
          <Field label={t('tenant')} required>
            {(control) => (
              <Select
                {...control}
                name="tenant"
                choices={tenants.map((each) => ({ value: each.tenantId, label: each.displayName }))}
              />
            )}
          </Field>
        </div>
        <div className="min-w-48 flex-1 md:max-w-80">
          <Field label={t('operation')} required>
            {(control) => (
              <Input {...control} name="operation" maxLength={128} pattern="[\x21-\x7e]{1,128}" />
            )}
          </Field>
        </div>
        <Button type="submit">{t('open')}</Button>
      </form>
    </Panel>
  );
}
