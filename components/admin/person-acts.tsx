'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { type PersonView, type TenantChoice } from '@/lib/domain/person-row';
import { type CommandAction, type SettleAction } from '../decision/command-action';
import { useRefusalText } from '../decision/refusal-text';
import { Notice } from '../ui/notice';
import { Panel } from '../ui/panel';
import { ActDialog } from './act-dialog';
import { linkAddress } from './link-address';
import { RightsFields, type ChosenRights } from './rights-fields';

export interface PersonActions {
  readonly changeRights: CommandAction;
  readonly decideGrant: CommandAction;
  readonly setDisabled: CommandAction;
  readonly reset: CommandAction;
  readonly endSessions: CommandAction;
  readonly settle: SettleAction;
}

interface PersonActsProps {
  person: PersonView;
  authorities: readonly string[];
  tenants: readonly TenantChoice[];
  actions: PersonActions;
}

/** What an administrator can do about somebody, and why not. */
export function PersonActs({ person, authorities, tenants, actions }: PersonActsProps) {
  const t = useTranslations('admin');
  const refusalText = useRefusalText({ roles: ['ADMIN'] });
  const disabledReason = person.refusal === null ? undefined : refusalText(person.refusal);
  const about = () => ({ personId: person.personId, version: person.version });
  const disabled = person.state === 'DISABLED';
  const { settle } = actions;
  return (
    <Panel title={t('acts.title')}>
      <div className="flex flex-col items-start gap-2">
        {disabledReason !== undefined && <Notice tone="quiet">{disabledReason}</Notice>}
        <RightsAct {...{ person, authorities, tenants, actions, disabledReason }} />
        <ActDialog
          label={t('acts.reset')}
          title={t('acts.reset')}
          lead={t('acts.resetLead')}
          submit={t('acts.resetSubmit')}
          disabledReason={disabledReason ?? (disabled ? refusalText('PERSON_DISABLED') : undefined)}
          act={actions.reset}
          settle={settle}
          input={about}
          once={{ what: t('once.link'), text: linkAddress }}
        />
        <ActDialog
          look={disabled ? 'secondary' : 'danger'}
          label={t(disabled ? 'acts.enable' : 'acts.disable')}
          title={t(disabled ? 'acts.enable' : 'acts.disable')}
          lead={t(disabled ? 'acts.enableLead' : 'acts.disableLead')}
          submit={t(disabled ? 'acts.enable' : 'acts.disable')}
          disabledReason={disabledReason}
          act={actions.setDisabled}
          settle={settle}
          input={() => ({ ...about(), disabled: !disabled })}
        />
      </div>
    </Panel>
  );
}

function RightsAct({
  person,
  authorities,
  tenants,
  actions,
  disabledReason,
}: PersonActsProps & { disabledReason: string | undefined }) {
  const t = useTranslations('admin');
  const held: ChosenRights = {
    roles: person.roles,
    authorities: person.authorities,
    tenantIds: person.tenants.map(({ tenantId }) => tenantId),
  };
  const [chosen, setChosen] = useState(held);
  return (
    <ActDialog
      label={t('acts.rights')}
      title={t('acts.rights')}
      lead={t('acts.rightsLead')}
      submit={t('acts.rightsSubmit')}
      disabledReason={disabledReason}
      act={actions.changeRights}
      settle={actions.settle}
      input={() =>
        chosen.tenantIds.length === 0
          ? null
          : { personId: person.personId, version: person.version, ...chosen }
      }
    >
      {(tried) => (
        <RightsFields
          chosen={chosen}
          held={held}
          providerRoles={person.providerRoles}
          authorities={[...new Set([...authorities, ...person.authorities])]}
          tenants={tenants}
          onChange={setChosen}
          tried={tried}
        />
      )}
    </ActDialog>
  );
}
