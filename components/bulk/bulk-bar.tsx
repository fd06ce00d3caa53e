'use client';

import { Hourglass, Link2, ListChecks, Search, UserCheck, UserRoundPlus } from 'lucide-react';
import { useTranslations } from 'next-intl';
import dynamic from 'next/dynamic';
import { useRef, useState } from 'react';
import { type LinkPreview as Preview } from '@/lib/domain/bulk-acts';
import { AT_ONCE } from '@/lib/domain/bulk-job';
import { type ExceptionRow } from '@/lib/domain/exception-row';
import { type JobActions } from '../bulk-job/job-actions';
import { Button } from '../ui/button';
import { AllMatches, type Matches } from './all-matches';
import { useSelection } from './selection';
import { useBatch, type BatchRow, type BulkAction, type BulkRequest } from './use-batch';
import { useJob, type JobSource } from './use-job';

// What a step shows is loaded when the first one opens: most visits to the queue open none.
const GuardedDialog = dynamic(async () => (await import('../shell/guarded-dialog')).GuardedDialog);
const CommandNotice = dynamic(async () => (await import('../decision/command-notice')).CommandNotice);
const BatchResults = dynamic(async () => (await import('./batch-results')).BatchResults);
const LinkPreview = dynamic(async () => (await import('./link-preview')).LinkPreview);
const AssignForm = dynamic(async () => (await import('./step-forms')).AssignForm);
const DeferForm = dynamic(async () => (await import('./step-forms')).DeferForm);

interface BulkBarProps {
  me: string;
  assignees: readonly { personId: string; displayName: string }[];
  act: BulkAction;
  preview: (exceptionIds: readonly string[]) => Promise<Preview>;
  /** All that the queue's filter finds; null where nobody knows how many. */
  matches: Matches | null;
  job: Pick<JobActions, 'prepare' | 'settle'>;
}

type Step = 'assign' | 'defer' | 'link' | 'results' | 'job';

const batchRow = ({ exceptionId, kind, operation, idempotencyKey, version }: ExceptionRow): BatchRow => ({
  exceptionId,
  kind,
  operation,
  idempotencyKey,
  input: { exceptionVersion: version },
});

/**
 * What can be done with the selected rows together: few at once, before the person's eyes; more of them, and all
 * matches of the filter, as a stored job. It stays where it is, so that the keyboard never loses it.
 */
export function BulkBar({ me, assignees, act, preview, matches, job }: BulkBarProps) {
  const t = useTranslations('queue.bulk');
  const tMatches = useTranslations('bulk.matches');
  const { selected, drop } = useSelection();
  const { batch, running, start, again } = useBatch(act);
  const { state: jobState, prepare } = useJob(job);
  const [step, setStep] = useState<Step | null>(null);
  const [asked, setAsked] = useState(false);
  const [worded, setWorded] = useState(false);
  const [allMatches, setAllMatches] = useState(false);
  const source: JobSource | null =
    allMatches && matches !== null
      ? { of: 'filter', address: matches.address }
      : selected.length > AT_ONCE
        ? {
            of: 'rows',
            rows: selected.map(({ exceptionId, version }) => ({ exceptionId, exceptionVersion: version })),
          }
        : null;
  const count = allMatches && matches !== null ? matches.count : selected.length;
  const bar = useRef<HTMLDivElement>(null);
  const opener = useRef<Element | null>(null);
  const open = (next: Step) => {
    opener.current = document.activeElement;
    setWorded(false);
    setAsked(true);
    setStep(next);
  };
  const run = async (sending: ReturnType<typeof start>) => {
    open('results');
    const { items } = await sending;
    drop(items.filter((item) => item.answer?.outcome === 'done').map((item) => item.exceptionId));
  };
  const send = (request: BulkRequest) => {
    if (source === null) return void run(start(request, selected.map(batchRow)));
    open('job');
    void prepare(request, source);
  };
  const blocked = running ? t('running') : undefined;
  return (
    <div
      ref={bar}
      tabIndex={-1}
      role="group"
      aria-label={t('region')}
      className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line px-4 py-1.5 md:px-6"
    >
      <SelectAll />
      <AllMatches matches={matches} chosen={allMatches} onChoose={setAllMatches} />
      {count > 0 && (allMatches || selected.length > 0) && (
        <Acts
          blocked={blocked}
          onTake={() => send({ act: 'assign', assigneeId: me })}
          onLookUp={() => send({ act: 'look-up' })}
          onOpen={(next) => (next === 'link' && source !== null ? send({ act: 'link' }) : open(next))}
        />
      )}
      {batch !== null && (
        <Button size="sm" look="ghost" onClick={() => open('results')}>
          <ListChecks aria-hidden />
          {t('results')}
        </Button>
      )}
      {asked && (
        <GuardedDialog
          open={step !== null}
          dirty={worded}
          onClose={() => {
            setWorded(false);
            setStep(null);
          }}
          title={step === 'job' ? tMatches('title') : t(`title.${step ?? 'results'}`)}
          description={step === 'job' ? tMatches('lead') : t(`lead.${step ?? 'results'}`)}
          width="lg"
          dismissible={step === 'results' || step === 'job'}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // What opened it may be gone with the selection.
            const back = opener.current?.isConnected === true ? opener.current : bar.current;
            if (back instanceof HTMLElement) back.focus();
          }}
        >
          {step === 'assign' && <AssignForm count={count} onSend={send} assignees={assignees} />}
          {step === 'defer' && <DeferForm count={count} onSend={send} onWorded={setWorded} />}
          {step === 'link' && (
            <LinkPreview
              exceptionIds={selected.map((row) => row.exceptionId)}
              preview={preview}
              onLink={(rows) => void run(start({ act: 'link' }, rows))}
            />
          )}
          {step === 'results' && batch !== null && (
            <BatchResults batch={batch} running={running} onAgain={() => void run(again(batch))} />
          )}
          {step === 'job' && (
            <CommandNotice
              state={jobState}
              about={{ roles: ['OPERATOR', 'APPROVER'] }}
              sending={tMatches('sending')}
            />
          )}
        </GuardedDialog>
      )}
    </div>
  );
}

function SelectAll() {
  const t = useTranslations('queue.bulk');
  const { selectable, selected, set } = useSelection();
  const all = selectable.length > 0 && selected.length === selectable.length;
  return (
    <>
      <label className="inline-flex min-h-8 items-center gap-2 text-sm max-md:min-h-10">
        <input
          type="checkbox"
          ref={(box) => {
            if (box !== null) box.indeterminate = selected.length > 0 && !all;
          }}
          checked={all}
          onChange={() => set(all ? [] : selectable.map((row) => row.exceptionId))}
          className="size-4 accent-accent-strong"
        />
        {t('all', { count: selectable.length })}
      </label>
      <span role="status" className="tabular text-sm text-ink-muted">
        {selected.length > 0 && t('selected', { count: selected.length })}
      </span>
    </>
  );
}

interface ActsProps {
  blocked: string | undefined;
  onTake: () => void;
  onLookUp: () => void;
  onOpen: (step: Step) => void;
}

function Acts({ blocked, onTake, onLookUp, onOpen }: ActsProps) {
  const t = useTranslations('queue.bulk');
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <Button size="sm" disabledReason={blocked} onClick={onTake}>
        <UserCheck aria-hidden />
        {t('take')}
      </Button>
      <Button size="sm" disabledReason={blocked} onClick={() => onOpen('assign')}>
        <UserRoundPlus aria-hidden />
        {t('assign')}
      </Button>
      <Button size="sm" disabledReason={blocked} onClick={() => onOpen('defer')}>
        <Hourglass aria-hidden />
        {t('defer')}
      </Button>
      <Button size="sm" disabledReason={blocked} onClick={onLookUp}>
        <Search aria-hidden />
        {t('lookUp')}
      </Button>
      <Button size="sm" disabledReason={blocked} onClick={() => onOpen('link')}>
        <Link2 aria-hidden />
        {t('link')}
      </Button>
    </div>
  );
}
