'use client';

import { UserPlus } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { type TenantChoice } from '@/lib/domain/person-row';
import { visibleLength } from '@/lib/domain/visible-length';
import { type CommandAction, type SettleAction } from '../decision/command-action';
import { useRefusalText } from '../decision/refusal-text';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { ActDialog } from './act-dialog';
import { linkAddress } from './link-address';
import { RightsFields, type ChosenRights } from './rights-fields';

interface InviteDialogProps {
  authorities: readonly string[];
  tenants: readonly TenantChoice[];
  invite: CommandAction;
  settle: SettleAction;
}

const NOTHING: ChosenRights = { roles: [], authorities: [], tenantIds: [] };

/** A new person, with a one-time link to hand over. */
export function InviteDialog({ authorities, tenants, invite, settle }: InviteDialogProps) {
  const t = useTranslations('admin');
  const refusalText = useRefusalText();
  const only = tenants.length === 1 ? tenants.map(({ tenantId }) => tenantId) : [];
  const [rights, setRights] = useState<ChosenRights>({ ...NOTHING, roles: ['OPERATOR'], tenantIds: only });
  const [email, setEmail] = useState('');
  const [displayName, setDisplayName] = useState('');
  const named = visibleLength(displayName) > 0;
  const addressed = email.trim() !== '';
  return (
    <ActDialog
      look="primary"
      label={
        <>
          <UserPlus aria-hidden />
          {t('invite.open')}
        </>
      }
      title={t('invite.title')}
      lead={t('invite.lead')}
      submit={t('invite.submit')}
      act={invite}
      settle={settle}
      input={() =>
        named && addressed && rights.tenantIds.length > 0 ? { email, displayName, ...rights } : null
      }
      once={{ what: t('once.link'), text: linkAddress }}
    >
      {(tried) => (
        <>
          <Field
            label={t('invite.email')}
            required
            error={tried && !addressed ? refusalText('EMAIL_UNUSABLE') : undefined}
          >
            {(control) => (
              <Input
                {...control}
                name="email"
                type="email"
                autoComplete="off"
                maxLength={254}
                value={email}
                onChange={(event) => setEmail(event.target.value)}
              />
            )}
          </Field>
          <Field
            label={t('invite.name')}
            required
            error={tried && !named ? refusalText('NAME_MISSING') : undefined}
          >
            {(control) => (
              <Input
                {...control}
                name="displayName"
                autoComplete="off"
                maxLength={200}
                value={displayName}
                onChange={(event) => setDisplayName(event.target.value)}
              />
            )}
          </Field>
          <RightsFields
            chosen={rights}
            held={NOTHING}
            authorities={authorities}
            tenants={tenants}
            onChange={setRights}
            tried={tried}
          />
        </>
      )}
    </ActDialog>
  );
}
