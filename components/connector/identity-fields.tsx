'use client';

import { useTranslations } from 'next-intl';
import { type TenantChoice } from '@/lib/domain/person-row';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Panel } from '../ui/panel';
import { Select } from '../ui/select';

export const EVERY_TENANT = '';

export const isConnectorName = (text: string): boolean => /^[a-z0-9][a-z0-9-]{0,62}$/.test(text);

interface IdentityFieldsProps {
  name: string;
  tenant: string;
  tenants: readonly TenantChoice[];
  mayServeAll: boolean;
  tried: boolean;
  onName: (text: string) => void;
  onTenant: (tenant: string) => void;
}

/** What a connector keeps for ever: its name, and for whom it is. */
export function IdentityFields({
  name,
  tenant,
  tenants,
  mayServeAll,
  tried,
  onName,
  onTenant,
}: IdentityFieldsProps) {
  const t = useTranslations('connectors');
  const all = mayServeAll ? [{ value: EVERY_TENANT, label: t('everyTenant') }] : [];
  return (
    <Panel title={t('form.newTitle')}>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field
          label={t('form.id')}
          hint={t('form.idHint')}
          required
          error={tried && !isConnectorName(name) ? t('form.idWrong') : undefined}
        >
          {(control) => (
            <Input
              {...control}
              name="connectorId"
              className="font-mono"
              maxLength={63}
              spellCheck={false}
              value={name}
              onChange={(event) => onName(event.target.value)}
            />
          )}
        </Field>
        <Field label={t('form.tenant')} hint={t('form.tenantHint')} required>
          {(control) => (
            <Select
              {...control}
              name="tenant"
              value={tenant}
              onChange={(event) => onTenant(event.target.value)}
              choices={[
                ...tenants.map((each) => ({ value: each.tenantId, label: each.displayName })),
                ...all,
              ]}
            />
          )}
        </Field>
      </div>
    </Panel>
  );
}
