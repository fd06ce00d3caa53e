'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { type CommandAnswer } from '@/lib/domain/command-answer';
import { type IncidentOperation } from '@/lib/domain/incident-view';
import { type RefusalCode } from '@/lib/domain/refusals';
import { REPORT_BYTES } from '@/lib/domain/report-limits';
import { type SettleAction } from '../decision/command-action';
import { CommandNotice } from '../decision/command-notice';
import { useRefusalText } from '../decision/refusal-text';
import { useCommand } from '../decision/use-command';
import { LeaveGuard } from '../shell/leave-guard';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { FileFaultText } from './file-fault-text';
import { ReadingFields } from './reading-fields';
import { missingIn, newDraft, readingOf } from './report-draft';
import { uploadReport } from './upload-report';

interface ReportFormProps {
  incidentId: string;
  operations: readonly IncidentOperation[];
  refusal: RefusalCode | null;
  settle: SettleAction;
}

/** The provider's report and how to read it. Sending it judges each row; nothing is linked by that. */
export function ReportForm({ incidentId, operations, refusal, settle }: ReportFormProps) {
  const t = useTranslations('incidents.form');
  const refusalText = useRefusalText({ roles: ['OPERATOR', 'APPROVER'] });
  const router = useRouter();
  const [file, setFile] = useState<File | null>(null);
  const [draft, setDraft] = useState(() => newDraft(operations[0]));
  const [written, setWritten] = useState(false);
  const [tried, setTried] = useState(false);
  const { state, send, pending } = useCommand(
    (input) =>
      file === null ? Promise.resolve({ outcome: 'unknown' }) : uploadReport(incidentId, file, input),
    settle,
  );
  const tooLarge = file !== null && file.size > REPORT_BYTES;
  const missing = missingIn(draft);
  const run = async () => {
    setTried(true);
    if (file === null || tooLarge || missing.length > 0) return;
    const { operation, asOf } = draft;
    const answer = await send({
      ...{ operation, fileName: file.name.slice(0, 200), reading: readingOf(draft) },
      asOf: new Date(asOf).toISOString(),
    });
    const reportId = reportOf(answer);
    if (reportId === null) return;
    setWritten(false);
    router.push(`/queue/incidents/${incidentId}/reports/${reportId}`);
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <LeaveGuard dirty={written} />
      <p className="text-sm text-ink-muted">{t('lead')}</p>
      <Field label={t('file')} hint={t('fileHint')} required error={fileError()}>
        {(control) => (
          <Input
            {...control}
            name="file"
            type="file"
            accept=".csv,text/csv"
            onChange={(event) => setFile(event.target.files?.[0] ?? null)}
          />
        )}
      </Field>
      <ReadingFields
        draft={draft}
        operations={operations}
        missing={tried ? missing : []}
        onChange={(next) => {
          setDraft(next);
          setWritten(true);
        }}
      />
      <div className="flex flex-col items-start gap-2">
        <Button
          type="submit"
          look="primary"
          pending={pending}
          disabledReason={refusal === null ? undefined : refusalText(refusal)}
        >
          {t('judge')}
        </Button>
        <CommandNotice
          state={state}
          about={{ roles: ['OPERATOR', 'APPROVER'] }}
          sending={t('judging')}
          done={t('judged')}
          onSendAgain={() => void run()}
        />
        {state.phase === 'answered' && <FileFaultText answer={state.answer} />}
      </div>
    </form>
  );

  function fileError(): string | undefined {
    if (tooLarge) return t('tooLarge');
    return tried && file === null ? t('missing') : undefined;
  }
}

/** The report that was made, or the one that stands already. */
function reportOf(answer: CommandAnswer | null): string | null {
  if (answer === null || answer.outcome !== 'done') return null;
  return answer.reportId ?? null;
}
