'use client';

import { useTranslations } from 'next-intl';
import { type PersonView } from '@/lib/domain/person-row';
import { visibleText } from '@/lib/domain/visible-text';
import { useAuthorityName } from '../decision/authority-name';
import { type PersonActions } from './person-acts';
import { ProposalPanel } from './proposal-panel';

/** Rights that wait for a second administrator. */
export function GrantPanel({
  person,
  me,
  actions,
}: {
  person: PersonView;
  me: string;
  actions: PersonActions;
}) {
  const t = useTranslations('admin.grant');
  const tRoles = useTranslations('common.roles');
  const authorityName = useAuthorityName();
  const { grant, personId, version } = person;
  if (grant === null) return null;
  const given = [
    ...grant.roles.map((role) => tRoles(role)),
    ...grant.authorities.map(authorityName),
    ...grant.tenants.map(({ displayName }) => visibleText(displayName)),
  ];
  return (
    <ProposalPanel
      words="admin.grant"
      title={t('title')}
      asks={t('asks', { who: visibleText(grant.requestedBy.displayName), what: given.join(' · ') })}
      proposal={grant}
      me={me}
      endRefusal={person.refusal}
      act={actions.decideGrant}
      settle={actions.settle}
      input={(verdict) => ({ personId, version, grantId: grant.grantId, verdict })}
    />
  );
}
