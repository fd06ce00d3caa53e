'use client';

import { useTranslations } from 'next-intl';
import { type ConnectorView } from '@/lib/domain/connector-view';
import { ActDialog } from '../admin/act-dialog';
import { useRefusalText } from '../decision/refusal-text';
import { type ConnectorActions } from './connector-actions';

/** Asks that a connector be used no more. */
export function RetireConnector({ view, actions }: { view: ConnectorView; actions: ConnectorActions }) {
  const t = useTranslations('connectors');
  const refusalText = useRefusalText({ roles: ['ADMIN'] });
  const { connectorId, tenantId, version, retired, changeRefusal, operations } = view;
  return (
    <ActDialog
      look="danger"
      label={t('retire')}
      title={t('retireTitle', { name: connectorId })}
      lead={t('retireLead', { count: operations.length })}
      submit={t('form.propose')}
      disabledReason={
        retired ? t('retiredAlready') : changeRefusal === null ? undefined : refusalText(changeRefusal)
      }
      act={actions.propose}
      settle={actions.settle}
      input={() => ({ connectorId, tenantId, version, retires: true, recipe: null })}
    />
  );
}
