'use client';

import { Eye } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { type Verdict } from '@/lib/domain/lookup-verdict';
import { visibleLength } from '@/lib/domain/visible-length';
import { ChoiceLabel } from '../decision/choice-label';
import { type CommandAction, type SettleAction } from '../decision/command-action';
import { CommandNotice } from '../decision/command-notice';
import { useRefusalText } from '../decision/refusal-text';
import { useCommand } from '../decision/use-command';
import { Button } from '../ui/button';
import { ChoiceCards } from '../ui/choice-cards';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Notice } from '../ui/notice';
import { Textarea } from '../ui/textarea';

interface ManualEvidenceProps {
  view: ExceptionView;
  action: CommandAction;
  settle: SettleAction;
}

const CHOICES = ['APPLIED', 'NOT_APPLIED', 'UNDER_WAY', 'UNCLEAR'] as const satisfies readonly Verdict[];

const EMPTY = { place: '', seen: '', resultId: '', resultUrl: '', account: '' };

/** What a person saw in the outside system, as evidence under their name. */
export function ManualEvidence({ view, action, settle }: ManualEvidenceProps) {
  const t = useTranslations('lookup');
  const tDecisions = useTranslations('decisions.form');
  const about = { authority: view.policy.authority, roles: ['OPERATOR', 'APPROVER'] };
  const refusalText = useRefusalText(about);
  const { state, send, clear, pending } = useCommand(action, settle);
  const [open, setOpen] = useState(false);
  const [tried, setTried] = useState(false);
  const [text, setText] = useState(EMPTY);
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [agrees, setAgrees] = useState(false);
  const [checkedAt, setCheckedAt] = useState('');
  const [filedEarlier, setFiledEarlier] = useState(false);
  const form = useId();
  const set = (field: keyof typeof EMPTY) => (event: { target: { value: string } }) =>
    setText((now) => ({ ...now, [field]: event.target.value }));
  const missing = (value: string) =>
    tried && visibleLength(value) === 0 ? tDecisions('missing') : undefined;
  const typed = Object.values(text).some((value) => value !== '');

  const submit = async () => {
    setTried(true);
    const { execution } = view;
    if (execution === null || verdict === null || !visibleLength(text.place) || !visibleLength(text.seen))
      return;
    const optional = (value: string, name: string) => (value.trim() === '' ? {} : { [name]: value.trim() });
    const answer = await send({
      exceptionId: view.exception.exceptionId,
      executionVersion: execution.version,
      place: text.place,
      seen: text.seen,
      verdict,
      ...(checkedAt === '' ? {} : { checkedAt: new Date(checkedAt).toISOString() }),
      contentAgrees: agrees,
      ...optional(text.resultId, 'resultId'),
      ...optional(text.resultUrl, 'resultUrl'),
      ...optional(text.account, 'targetAccount'),
    });
    if (answer?.outcome !== 'done') return;
    setFiledEarlier(answer.filedEarlier === true);
    setText(EMPTY);
    setVerdict(null);
    setAgrees(false);
    setTried(false);
    setOpen(false);
  };

  return (
    <>
      <Button
        size="sm"
        onClick={() => {
          clear();
          setCheckedAt('');
          setFiledEarlier(false);
          setText((now) => ({ ...now, account: now.account || (view.execution?.targetAccount ?? '') }));
          setOpen(true);
        }}
        disabledReason={view.evidenceRefusal === null ? undefined : refusalText(view.evidenceRefusal)}
      >
        <Eye aria-hidden />
        {t('action.addManual')}
      </Button>
      <div role="status" className="w-full empty:hidden">
        {filedEarlier && <Notice tone="caution">{t('manual.filedEarlier')}</Notice>}
      </div>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={t('manual.title')}
        description={t('manual.lead')}
        dismissible={!typed}
        footer={
          <Button type="submit" form={form} look="primary" pending={pending}>
            {t('manual.save')}
          </Button>
        }
      >
        <form
          id={form}
          noValidate
          className="flex flex-col gap-3.5"
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <Field label={t('manual.place')} hint={t('manual.placeHint')} required error={missing(text.place)}>
            {(control) => (
              <Input {...control} name="place" maxLength={300} value={text.place} onChange={set('place')} />
            )}
          </Field>
          <Field label={t('manual.seen')} hint={t('manual.seenHint')} required error={missing(text.seen)}>
            {(control) => (
              <Textarea {...control} name="seen" maxLength={4_000} value={text.seen} onChange={set('seen')} />
            )}
          </Field>
          <ChoiceLabel text={t('manual.verdict')} />
          <ChoiceCards
            label={t('manual.verdict')}
            name="verdict"
            value={verdict}
            onChange={setVerdict}
            error={tried && verdict === null ? tDecisions('missing') : undefined}
            choices={CHOICES.map((value) => ({ value, title: t(`manual.verdictChoice.${value}`) }))}
          />
          <div className="grid gap-3.5 sm:grid-cols-2">
            <Field label={t('manual.checkedAt')} hint={t('manual.checkedAtHint')}>
              {(control) => (
                <Input
                  {...control}
                  name="checkedAt"
                  type="datetime-local"
                  value={checkedAt}
                  onChange={(event) => setCheckedAt(event.target.value)}
                />
              )}
            </Field>
            <Field label={t('manual.account')}>
              {(control) => (
                <Input
                  {...control}
                  name="account"
                  maxLength={200}
                  value={text.account}
                  onChange={set('account')}
                />
              )}
            </Field>
            <Field label={t('manual.resultId')}>
              {(control) => (
                <Input
                  {...control}
                  name="resultId"
                  maxLength={255}
                  value={text.resultId}
                  onChange={set('resultId')}
                />
              )}
            </Field>
            <Field label={t('manual.resultUrl')}>
              {(control) => (
                <Input
                  {...control}
                  name="resultUrl"
                  type="url"
                  maxLength={2_000}
                  value={text.resultUrl}
                  onChange={set('resultUrl')}
                />
              )}
            </Field>
          </div>
          <label className="flex items-start gap-2 text-sm">
            <input
              type="checkbox"
              name="contentAgrees"
              checked={agrees}
              onChange={(event) => setAgrees(event.target.checked)}
              className="mt-0.5 size-4 accent-accent-strong"
            />
            {t('manual.contentAgrees')}
          </label>
          <CommandNotice state={state} about={about} done={t('manual.saved')} />
        </form>
      </Dialog>
    </>
  );
}
