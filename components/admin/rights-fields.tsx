'use client';

import { useTranslations } from 'next-intl';
import { ROLES } from '@/lib/domain/actor';
import { type TenantChoice } from '@/lib/domain/person-row';
import { useAuthorityName } from '../decision/authority-name';
import { useRefusalText } from '../decision/refusal-text';
import { CheckList } from './check-list';

export interface ChosenRights {
  roles: readonly string[];
  authorities: readonly string[];
  tenantIds: readonly string[];
}

interface RightsFieldsProps {
  chosen: ChosenRights;
  /** What the person has already, and so needs nobody's word. */
  held: ChosenRights;
  /** Of the roles held, those that stand on the provider's word. */
  providerRoles?: readonly string[];
  authorities: readonly string[];
  tenants: readonly TenantChoice[];
  onChange: (chosen: ChosenRights) => void;
  tried: boolean;
}

const NEED_TWO: readonly string[] = ['APPROVER', 'ADMIN'];

/** Roles, authorities and tenants; says of each new one whether a second administrator has to confirm it. */
export function RightsFields({
  chosen,
  held,
  providerRoles = [],
  authorities,
  tenants,
  onChange,
  tried,
}: RightsFieldsProps) {
  const t = useTranslations('admin.rights');
  const tRoles = useTranslations('common.roles');
  const authorityName = useAuthorityName();
  const refusalText = useRefusalText();
  return (
    <>
      <CheckList
        label={t('roles')}
        choices={ROLES.map((role) => ({
          value: role,
          label: tRoles(role),
          note: providerRoles.includes(role)
            ? t('fromProvider')
            : NEED_TWO.includes(role) && !held.roles.includes(role)
              ? t('needsTwo')
              : undefined,
        }))}
        chosen={chosen.roles}
        onChange={(roles) => onChange({ ...chosen, roles })}
      />
      {authorities.length > 0 && (
        <CheckList
          label={t('authorities')}
          choices={authorities.map((name) => ({
            value: name,
            label: authorityName(name),
            note: held.authorities.includes(name) ? undefined : t('needsTwo'),
          }))}
          chosen={chosen.authorities}
          onChange={(next) => onChange({ ...chosen, authorities: next })}
        />
      )}
      <CheckList
        label={t('tenants')}
        hint={t('tenantsHint')}
        choices={tenants.map(({ tenantId, displayName }) => ({ value: tenantId, label: displayName }))}
        chosen={chosen.tenantIds}
        onChange={(tenantIds) => onChange({ ...chosen, tenantIds })}
        error={tried && chosen.tenantIds.length === 0 ? refusalText('TENANT_MISSING') : undefined}
      />
    </>
  );
}
