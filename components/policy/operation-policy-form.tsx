'use client';

import { useTranslations } from 'next-intl';
import { useRouter } from 'next/navigation';
import { useId, useMemo, useState } from 'react';
import { type OperationPolicyContent } from '@/lib/domain/operation-policy';
import { type CommandAction, type SettleAction } from '../decision/command-action';
import { CommandNotice } from '../decision/command-notice';
import { isLongEnough, RationaleField } from '../decision/rationale-field';
import { useCommand } from '../decision/use-command';
import { Button } from '../ui/button';
import { DialogForm } from '../ui/dialog-form';
import { LeaveGuard } from '../shell/leave-guard';
import { LinkButton } from '../ui/link-button';
import { Panel } from '../ui/panel';
import { FormSections } from './form-sections';
import { type KnownNames } from './member-field';
import { OperationDifferenceList } from './operation-difference-list';
import { draftOf, type OperationDraft } from './operation-draft';
import { policyAddress } from './policy-address';
import { readDraft, type Problems } from './read-draft';
import { ToldPolicy } from './told-policy';

interface OperationPolicyFormProps {
  tenantId: string;
  operation: string;
  /** As it is now; the form goes on from what it was when it was opened (LC-18). */
  version: number;
  content: OperationPolicyContent;
  known: KnownNames;
  propose: CommandAction;
  settle: SettleAction;
}

const NO_PROBLEMS: Problems = new Map();

/** Everything that an operation's policy says, to be proposed as one change. */
export function OperationPolicyForm({
  tenantId,
  operation,
  version,
  content,
  known,
  propose,
  settle,
}: OperationPolicyFormProps) {
  const t = useTranslations('policies.form');
  const router = useRouter();
  const form = useId();
  const { state, send, pending } = useCommand(propose, settle);
  const [seen, setSeen] = useState({ version, content });
  const [draft, setDraft] = useState(() => draftOf(content));
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const [written, setWritten] = useState(false);
  const read = useMemo(() => readDraft(draft, seen.content), [draft, seen]);
  const page = policyAddress('operation', tenantId, operation);
  const change = (next: OperationDraft) => {
    setWritten(true);
    setDraft(next);
  };
  const run = async () => {
    setTried(true);
    if (read.content === null || !isLongEnough(reason)) return;
    const answer = await send({ tenantId, operation, version: seen.version, content: read.content, reason });
    if (answer?.outcome === 'done') router.push(page);
  };
  return (
    <DialogForm
      id={form}
      onSubmit={() => void run()}
      answer={state.phase === 'answered' ? state.answer : null}
      notice={
        <>
          <CommandNotice state={state} about={{ roles: ['ADMIN'] }} onSendAgain={() => void run()} />
          {state.phase === 'answered' && read.content !== null && (
            <ToldPolicy
              answer={state.answer}
              mine={read.content}
              goOn={seen.version === version ? null : () => setSeen({ version, content })}
            />
          )}
        </>
      }
    >
      <LeaveGuard dirty={written} />
      <FormSections
        draft={draft}
        problems={tried ? read.problems : NO_PROBLEMS}
        known={known}
        onChange={change}
      />
      <Panel title={t('changes')} id="changes">
        <div className="text-sm" aria-live="polite">
          {read.content === null ? (
            <p className="text-ink-muted">{t('changesUnread')}</p>
          ) : (
            <OperationDifferenceList before={seen.content} after={read.content} />
          )}
        </div>
      </Panel>
      <Panel title={t('reasonTitle')} id="reason">
        <RationaleField
          name="reason"
          value={reason}
          onChange={(text) => {
            setWritten(true);
            setReason(text);
          }}
          tried={tried}
        />
        <div className="mt-3 flex flex-wrap gap-2">
          <Button type="submit" look="primary" pending={pending}>
            {t('propose')}
          </Button>
          <LinkButton href={page}>{t('cancel')}</LinkButton>
        </div>
      </Panel>
    </DialogForm>
  );
}
