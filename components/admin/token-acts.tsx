'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { type TokenRow } from '@/lib/domain/token-row';
import { type CommandAction, type SettleAction } from '../decision/command-action';
import { useRefusalText } from '../decision/refusal-text';
import { Field } from '../ui/field';
import { Select } from '../ui/select';
import { ActDialog } from './act-dialog';
import { daysOf, ExpiryField, type ExpiryChoice } from './token-fields';

export interface TokenActions {
  readonly rotate: CommandAction;
  readonly revoke: CommandAction;
  readonly settle: SettleAction;
}

const OVERLAPS = ['0', '1', '24', '168'] as const;

/** Replacing and revoking one token. */
export function TokenActs({ token, actions }: { token: TokenRow; actions: TokenActions }) {
  const t = useTranslations('admin.tokens');
  const tOnce = useTranslations('admin.once');
  const refusalText = useRefusalText();
  const [overlap, setOverlap] = useState('24');
  const [expiry, setExpiry] = useState<ExpiryChoice>('90');
  const ended =
    token.state === 'REVOKED' || token.state === 'EXPIRED' ? refusalText('TOKEN_ENDED') : undefined;
  const replaced = token.state === 'REPLACED' ? refusalText('TOKEN_REPLACED_ALREADY') : undefined;
  return (
    <span className="relative z-10 flex flex-wrap gap-1.5">
      <ActDialog
        label={t('rotate')}
        title={t('rotateTitle', { prefix: token.prefix })}
        lead={t('rotateLead')}
        submit={t('rotate')}
        asksReason={false}
        disabledReason={ended ?? replaced}
        act={actions.rotate}
        settle={actions.settle}
        input={() => ({
          tokenId: token.tokenId,
          overlapHours: Number(overlap),
          expiresInDays: daysOf(expiry),
        })}
        once={{ what: tOnce('token'), text: (secret) => secret }}
      >
        {() => (
          <>
            <Field label={t('overlap')} hint={t('overlapHint')} required>
              {(control) => (
                <Select
                  {...control}
                  name="overlap"
                  value={overlap}
                  onChange={(event) => setOverlap(event.target.value)}
                  choices={OVERLAPS.map((hours) => ({
                    value: hours,
                    label: t('overlapHours', { hours: Number(hours) }),
                  }))}
                />
              )}
            </Field>
            <ExpiryField value={expiry} onChange={setExpiry} />
          </>
        )}
      </ActDialog>
      <ActDialog
        look="danger"
        label={t('revoke')}
        title={t('revokeTitle', { prefix: token.prefix })}
        lead={t('revokeLead')}
        submit={t('revoke')}
        asksReason={false}
        disabledReason={ended}
        act={actions.revoke}
        settle={actions.settle}
        input={() => ({ tokenId: token.tokenId })}
      />
    </span>
  );
}
