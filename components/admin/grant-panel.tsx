'use client';

import { useTranslations } from 'next-intl';
import { type PersonView } from '@/lib/domain/person-row';
import { visibleText } from '@/lib/domain/visible-text';
import { useAuthorityName, useRefusalText } from '../decision/refusal-text';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { Panel } from '../ui/panel';
import { ActDialog } from './act-dialog';
import { type PersonActions } from './person-acts';

/** Rights that wait for a second administrator: what, by whom and why, and the word on it. */
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
  const refusalText = useRefusalText({ roles: ['ADMIN'] });
  const { grant } = person;
  if (grant === null) return null;
  const mine = grant.requestedBy.personId === me;
  const given = [
    ...grant.roles.map((role) => tRoles(role)),
    ...grant.authorities.map(authorityName),
    ...grant.tenants.map(({ displayName }) => visibleText(displayName)),
  ];
  const verdict = (word: 'CONFIRM' | 'REJECT') => () => ({
    personId: person.personId,
    version: person.version,
    grantId: grant.grantId,
    verdict: word,
  });
  return (
    <Panel title={t('title')}>
      <div className="flex flex-col gap-3 text-sm">
        <p>
          {t('asks', { who: visibleText(grant.requestedBy.displayName), what: given.join(' · ') })}{' '}
          <Instant at={grant.requestedAt} look="full" className="text-xs text-ink-muted" />
        </p>
        <blockquote className="border-l-2 border-line-strong pl-3 text-ink-muted">
          <VisibleText text={grant.reason} paragraphs />
        </blockquote>
        <p className="text-xs text-ink-muted">
          {t.rich('until', { time: () => <Instant at={grant.expiresAt} look="full" /> })}
        </p>
        <div className="flex flex-wrap gap-2">
          <ActDialog
            look="primary"
            label={t('confirm')}
            title={t('confirm')}
            lead={t('confirmLead')}
            submit={t('confirm')}
            disabledReason={grant.confirmRefusal === null ? undefined : refusalText(grant.confirmRefusal)}
            act={actions.decideGrant}
            settle={actions.settle}
            input={verdict('CONFIRM')}
          />
          <ActDialog
            label={t(mine ? 'withdraw' : 'reject')}
            title={t(mine ? 'withdraw' : 'reject')}
            lead={t('rejectLead')}
            submit={t(mine ? 'withdraw' : 'reject')}
            disabledReason={person.refusal === null ? undefined : refusalText(person.refusal)}
            act={actions.decideGrant}
            settle={actions.settle}
            input={verdict('REJECT')}
          />
        </div>
      </div>
    </Panel>
  );
}
