'use client';

import { useTranslations } from 'next-intl';
import { type PersonView } from '@/lib/domain/person-row';
import { useAuthorityName } from '../decision/authority-name';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { FactList } from '../ui/fact-list';
import { Panel } from '../ui/panel';

/** What somebody may do, as it holds now. */
export function PersonFacts({ person }: { person: PersonView }) {
  const t = useTranslations('admin.people');
  const tRoles = useTranslations('common.roles');
  const authorityName = useAuthorityName();
  return (
    <Panel title={t('facts')}>
      <FactList
        absent={t('none')}
        facts={[
          { term: t('column.email'), value: <VisibleText text={person.email} /> },
          {
            term: t('column.roles'),
            value:
              person.roles
                .map((role) =>
                  person.providerRoles.includes(role)
                    ? t('fromProvider', { role: tRoles(role) })
                    : tRoles(role),
                )
                .join(' · ') || t('noRoles'),
          },
          { term: t('column.authorities'), value: person.authorities.map(authorityName).join(' · ') || '–' },
          {
            term: t('column.tenants'),
            value: <VisibleText text={person.tenants.map(({ displayName }) => displayName).join(' · ')} />,
          },
          ...(person.issuer === null
            ? []
            : [{ term: t('wayIn'), value: <VisibleText text={person.issuer} /> }]),
          {
            term: t('column.lastSeen'),
            value: person.lastSeenAt === null ? t('never') : <Instant at={person.lastSeenAt} look="full" />,
          },
        ]}
      />
    </Panel>
  );
}
