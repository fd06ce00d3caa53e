'use client';

import { Eye } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import {
  faultsOf,
  faultsOfAnswer,
  isWritten,
  type EvidenceFields,
  type FieldFaults,
} from '@/lib/domain/evidence-form';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { type CommandAction, type SettleAction } from '../decision/command-action';
import { CommandNotice } from '../decision/command-notice';
import { useRefusalText } from '../decision/refusal-text';
import { useCommand } from '../decision/use-command';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { DialogForm } from '../ui/dialog-form';
import { LeaveGuard } from '../shell/leave-guard';
import { Notice } from '../ui/notice';
import { EvidenceInputs } from './evidence-fields';

interface ManualEvidenceProps {
  view: ExceptionView;
  action: CommandAction;
  settle: SettleAction;
}

const EMPTY: EvidenceFields = {
  place: '',
  seen: '',
  verdict: null,
  checkedAt: '',
  account: '',
  resultId: '',
  resultUrl: '',
  contentAgrees: false,
};

/** What a person saw in the outside system, as evidence under their name. */
export function ManualEvidence({ view, action, settle }: ManualEvidenceProps) {
  const t = useTranslations('lookup');
  const about = { authority: view.policy.authority, roles: ['OPERATOR', 'APPROVER'] };
  const refusalText = useRefusalText(about);
  const { state, send, clear, pending } = useCommand(action, settle);
  const [open, setOpen] = useState(false);
  const [tried, setTried] = useState(false);
  const [fields, setFields] = useState(EMPTY);
  const [refused, setRefused] = useState<FieldFaults>({});
  const [filedEarlier, setFiledEarlier] = useState(false);
  const form = useId();
  const account = view.execution?.targetAccount ?? null;
  const own = faultsOf(fields, { proof: view.policy.proof, account });
  const faults = tried ? { ...refused, ...own } : {};
  const answered = state.phase === 'answered' ? state.answer : null;
  const atFields = answered !== null && Object.keys(faultsOfAnswer(answered)).length > 0;

  const change = (changed: Partial<EvidenceFields>) => {
    setFields((now) => ({ ...now, ...changed }));
    // What the desk refused was about the text of then.
    setRefused((now) => Object.fromEntries(Object.entries(now).filter(([field]) => !(field in changed))));
  };

  const submit = async () => {
    setTried(true);
    setRefused({});
    if (view.execution === null || Object.keys(own).length > 0) return;
    const answer = await send(inputOf(view.exception.exceptionId, view.execution.version, fields));
    if (answer === null) return;
    setRefused(faultsOfAnswer(answer));
    if (answer.outcome !== 'done') return;
    setFiledEarlier(answer.filedEarlier === true);
    setFields(EMPTY);
    setTried(false);
    setOpen(false);
  };

  return (
    <>
      <Button
        size="sm"
        onClick={() => {
          clear();
          setRefused({});
          setFiledEarlier(false);
          setFields((now) => ({ ...now, checkedAt: '', account: now.account || (account ?? '') }));
          setOpen(true);
        }}
        disabledReason={view.evidenceRefusal === null ? undefined : refusalText(view.evidenceRefusal)}
      >
        <Eye aria-hidden />
        {t('action.addManual')}
      </Button>
      {/* What was written stays while the dialog is closed; leaving the page would lose it. */}
      <LeaveGuard dirty={isWritten(fields)} />
      <div role="status" className="w-full empty:hidden">
        {filedEarlier && <Notice tone="caution">{t('manual.filedEarlier')}</Notice>}
      </div>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={t('manual.title')}
        description={t('manual.lead')}
        dismissible={!isWritten(fields)}
        footer={
          <Button type="submit" form={form} look="primary" pending={pending}>
            {t('manual.save')}
          </Button>
        }
      >
        <DialogForm
          id={form}
          onSubmit={() => void submit()}
          answer={answered}
          notice={
            // What is said at a field is not said a second time about the whole.
            atFields ? null : <CommandNotice state={state} about={about} done={t('manual.saved')} />
          }
        >
          <EvidenceInputs fields={fields} change={change} faults={faults} account={account} />
        </DialogForm>
      </Dialog>
    </>
  );
}

function inputOf(exceptionId: string, executionVersion: string, fields: EvidenceFields) {
  const optional = (value: string, name: string) => (value.trim() === '' ? {} : { [name]: value.trim() });
  return {
    exceptionId,
    executionVersion,
    place: fields.place,
    seen: fields.seen,
    verdict: fields.verdict,
    ...(fields.checkedAt === '' ? {} : { checkedAt: new Date(fields.checkedAt).toISOString() }),
    contentAgrees: fields.contentAgrees,
    ...optional(fields.resultId, 'resultId'),
    ...optional(fields.resultUrl, 'resultUrl'),
    ...optional(fields.account, 'targetAccount'),
  };
}
