'use client';

import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { ROLES_FOR_REQUEST } from '@/lib/domain/decisions';
import { type RequestView } from '@/lib/domain/request-view';
import { type CommandAction, type SettleAction } from '../decision/command-action';
import { CommandNotice } from '../decision/command-notice';
import { isLongEnough, RationaleField } from '../decision/rationale-field';
import { useRefusalText } from '../decision/refusal-text';
import { useCommand } from '../decision/use-command';
import { Button } from '../ui/button';
import { focusFirstInvalid } from '../ui/focus-first-invalid';
import { Notice } from '../ui/notice';
import { Panel } from '../ui/panel';

interface VerdictFormProps {
  request: RequestView;
  decide: CommandAction;
  settle: SettleAction;
}

/** Approve or reject what the page shows. The digest of it goes along, so a verdict never counts for anything else. */
export function VerdictForm({ request, decide, settle }: VerdictFormProps) {
  const t = useTranslations('approvals.verdict');
  const about = { authority: request.policy.authority, roles: ROLES_FOR_REQUEST[request.kind] };
  const refusalText = useRefusalText(about);
  const { state, send, pending } = useCommand(decide, settle);
  const [rationale, setRationale] = useState('');
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const [sent, setSent] = useState<'APPROVE' | 'REJECT' | null>(null);
  // What the person began to read: if the page changes under their hands, the old digest is refused.
  const [digest] = useState(request.digest);
  const refusal = request.decideRefusal;
  const refusalOf = (verdict: 'APPROVE' | 'REJECT') =>
    verdict === 'APPROVE' ? request.approveRefusal : refusal;
  const why = (verdict: 'APPROVE' | 'REJECT') => {
    const code = refusalOf(verdict);
    return code === null ? undefined : refusalText(code);
  };
  const ended = request.state !== 'PENDING';
  const submit = async (verdict: 'APPROVE' | 'REJECT') => {
    setTried(true);
    if (refusalOf(verdict) !== null) return;
    if (!isLongEnough(rationale, request.minRationale)) return focusFirstInvalid(form.current);
    setSent(verdict);
    const answer = await send({
      requestId: request.requestId,
      digest,
      verdict,
      rationale,
      shownEvidenceId: (request.newest ?? request.evidence)?.lookupId ?? null,
      lookAgain: request.lookAgain && verdict === 'APPROVE',
    });
    if (answer?.outcome === 'done') setRationale('');
  };
  if (ended && rationale === '' && state.phase === 'idle') return null;
  // Decided: what came of it stays, the way to decide goes; a reason that was typed and not sent is not thrown away.
  const over = (ended && rationale === '') || (state.phase === 'answered' && state.answer.outcome === 'done');
  return (
    <Panel title={t('title')}>
      <form
        ref={form}
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void submit('APPROVE');
        }}
      >
        {!over && <p className="text-sm text-ink-muted">{t('lead')}</p>}
        {request.approveRefusal !== null && !ended && !over && (
          <Notice tone="caution" title={t(refusal === null ? 'cannotApprove' : 'cannot')}>
            {refusalText(request.approveRefusal)}
          </Notice>
        )}
        {request.lookAgain && refusal === null && !over && <Notice tone="progress">{t('lookAgain')}</Notice>}
        {!over && (refusal === null || rationale !== '') ? (
          <RationaleField
            name="verdict-rationale"
            label={t('rationale')}
            hint={t('hint', { count: request.minRationale })}
            shortest={request.minRationale}
            value={rationale}
            onChange={setRationale}
            tried={tried}
          />
        ) : null}
        {!over && (
          <div className="flex flex-wrap gap-2">
            <Button
              type="submit"
              look="primary"
              pending={pending && sent === 'APPROVE'}
              disabledReason={why('APPROVE')}
            >
              {t(request.kind === 'REISSUE' ? 'approve' : 'confirm')}
            </Button>
            <Button
              look="secondary"
              pending={pending && sent === 'REJECT'}
              disabledReason={why('REJECT')}
              onClick={() => void submit('REJECT')}
            >
              {t('reject')}
            </Button>
          </div>
        )}
        <CommandNotice
          state={state}
          about={about}
          done={t(sent === 'REJECT' ? 'rejected' : 'approved')}
          {...(sent === null ? {} : { onSendAgain: () => void submit(sent) })}
        />
      </form>
    </Panel>
  );
}
