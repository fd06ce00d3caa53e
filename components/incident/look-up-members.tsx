'use client';

import { useTranslations } from 'next-intl';
import { type RefusalCode } from '@/lib/domain/refusals';
import { CommandNotice } from '../decision/command-notice';
import { useRefusalText } from '../decision/refusal-text';
import { useCommand } from '../decision/use-command';
import { Button } from '../ui/button';
import { type IncidentActions } from './incident-actions';

interface LookUpMembersProps {
  incidentId: string;
  refusal: RefusalCode | null;
  actions: Pick<IncidentActions, 'lookUp' | 'settle'>;
}

/** Has every open result looked up, as fast as the connector's rate lets them go out. */
export function LookUpMembers({ incidentId, refusal, actions }: LookUpMembersProps) {
  const t = useTranslations('incidents');
  const refusalText = useRefusalText({ roles: ['OPERATOR', 'APPROVER'] });
  const { state, send, pending } = useCommand(actions.lookUp, actions.settle);
  const run = () => void send({ incidentId });
  const planned =
    state.phase === 'answered' && state.answer.outcome === 'done' ? state.answer.planned : undefined;
  const refused = (planned ?? []).flatMap(({ code }) => code ?? []);
  return (
    <div className="flex flex-col items-start gap-2">
      <Button
        look="primary"
        pending={pending}
        disabledReason={refusal === null ? undefined : refusalText(refusal)}
        onClick={run}
      >
        {t('lookUp')}
      </Button>
      <p className="text-xs text-ink-muted">{t('lookUpHint')}</p>
      <CommandNotice
        state={state}
        done={t('lookUpDone', { count: (planned?.length ?? 0) - refused.length, refused: refused.length })}
        onSendAgain={run}
      />
      {refused.length > 0 && (
        <ul className="text-xs text-ink-muted">
          {[...new Set(refused)].map((code) => (
            <li key={code}>
              {t('refusedRows', { count: refused.filter((each) => each === code).length })}{' '}
              {refusalText(code)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
