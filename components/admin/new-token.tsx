'use client';

import { KeyRound } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { type TenantChoice } from '@/lib/domain/person-row';
import { type CommandAction, type SettleAction } from '../decision/command-action';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { ActDialog } from './act-dialog';
import { daysOf, ExpiryField, type ExpiryChoice } from './token-fields';

interface NewTokenProps {
  tenants: readonly TenantChoice[];
  /** Programs that have tokens already, to choose from while typing. */
  principals: readonly string[];
  create: CommandAction;
  settle: SettleAction;
}

const NAME = /^[\x21-\x7e]{1,128}$/;

/** A token for a program, known already or new. */
export function NewToken({ tenants, principals, create, settle }: NewTokenProps) {
  const t = useTranslations('admin.tokens');
  const tOnce = useTranslations('admin.once');
  const known = useId();
  const [tenantId, setTenantId] = useState(tenants[0]?.tenantId ?? '');
  const [principalId, setPrincipalId] = useState('');
  const [operations, setOperations] = useState('');
  const [expiry, setExpiry] = useState<ExpiryChoice>('90');
  const names = operations.split(/[\s,]+/).filter((name) => name !== '');
  const named = NAME.test(principalId);
  const readable = names.every((name) => NAME.test(name)) && names.length <= 100;
  return (
    <ActDialog
      look="primary"
      label={
        <>
          <KeyRound aria-hidden />
          {t('create')}
        </>
      }
      title={t('create')}
      lead={t('createLead')}
      submit={t('create')}
      asksReason={false}
      act={create}
      settle={settle}
      input={() =>
        named && readable && tenantId !== ''
          ? {
              tenantId,
              principalId,
              operations: names.length === 0 ? null : names,
              expiresInDays: daysOf(expiry),
            }
          : null
      }
      once={{ what: tOnce('token'), text: (secret) => secret }}
    >
      {(tried) => (
        <>
          <Field label={t('tenant')} required>
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
            label={t('principal')}
            hint={t('principalHint')}
            required
            error={tried && !named ? t('principalMissing') : undefined}
          >
            {(control) => (
              <>
                <Input
                  {...control}
                  name="principal"
                  list={known}
                  autoComplete="off"
                  maxLength={128}
                  value={principalId}
                  onChange={(event) => setPrincipalId(event.target.value)}
                />
                <datalist id={known}>
                  {principals.map((each) => (
                    <option key={each} value={each} />
                  ))}
                </datalist>
              </>
            )}
          </Field>
          <Field
            label={t('operations')}
            hint={t('operationsHint')}
            error={tried && !readable ? t('operationsWrong') : undefined}
          >
            {(control) => (
              <Input
                {...control}
                name="operations"
                autoComplete="off"
                maxLength={8_000}
                value={operations}
                onChange={(event) => setOperations(event.target.value)}
              />
            )}
          </Field>
          <ExpiryField value={expiry} onChange={setExpiry} />
        </>
      )}
    </ActDialog>
  );
}
