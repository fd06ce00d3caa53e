'use client';

import { useTranslations } from 'next-intl';
import { useState, type ReactNode } from 'react';
import { type CommandAnswer } from '@/lib/domain/command-answer';
import { type PolicyRow } from '@/lib/domain/policy-row';
import { Button } from '../ui/button';
import { ActDialog } from './act-dialog';
import { PolicyDifferenceList } from './policy-difference';
import { contentOf, draftOf } from './policy-draft';
import { PolicyFields } from './policy-fields';
import { type PolicyActions } from './policy-actions';

interface PolicyDialogProps {
  label: ReactNode;
  row: PolicyRow;
  authorities: readonly string[];
  disabledReason: string | undefined;
  actions: PolicyActions;
}

/** Asks for a change of a policy, from the version that was there when the form was opened (LC-18). */
export function PolicyDialog({ label, row, authorities, disabledReason, actions }: PolicyDialogProps) {
  const t = useTranslations('admin.policies');
  const [draft, setDraft] = useState(() => draftOf(row.content));
  const [seen, setSeen] = useState(row.version);
  const told = (answer: CommandAnswer): ReactNode => {
    const content = contentOf(draft);
    if (answer.outcome !== 'refused' || answer.policy === undefined || content === null) return null;
    return (
      <div className="flex flex-col gap-2 text-sm">
        <p className="font-medium">
          {t(answer.code === 'PROPOSAL_IN_FLIGHT' ? 'toldWaiting' : 'toldInForce')}
        </p>
        <PolicyDifferenceList before={answer.policy} after={content} />
        {seen !== row.version && (
          <div>
            <Button size="sm" onClick={() => setSeen(row.version)}>
              {t('goOn')}
            </Button>
          </div>
        )}
      </div>
    );
  };
  return (
    <ActDialog
      label={label}
      title={t('changeTitle', { operation: row.operation })}
      lead={t('changeLead')}
      submit={t('propose')}
      disabledReason={disabledReason}
      act={actions.propose}
      settle={actions.settle}
      onOpen={() => {
        setDraft(draftOf(row.content));
        setSeen(row.version);
      }}
      input={() => {
        const content = contentOf(draft);
        return content && { ...content, tenantId: row.tenantId, operation: row.operation, version: seen };
      }}
      told={told}
    >
      {(tried) => <PolicyFields draft={draft} authorities={authorities} tried={tried} onChange={setDraft} />}
    </ActDialog>
  );
}
