'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { placeholdersOf } from '@/lib/domain/connector-form';
import { type TrialAnswer } from '@/lib/domain/connector-view';
import { PROOFS, type Proof } from '@/lib/domain/lookup-verdict';
import { SHOWN_TO } from '@/lib/domain/shown-to';
import { useShownTo } from '../access/own-account';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Panel } from '../ui/panel';
import { Segmented } from '../ui/segmented';
import { Select } from '../ui/select';
import { type ConnectorActions } from './connector-actions';
import { TrialResult } from './trial-result';
import { type Draft } from './use-draft';

interface TrialPanelProps {
  connectorId: string | null;
  tenantId: string | null;
  recipe: unknown;
  /** Of a form, which shows what is wrong at its fields; null: of a page that only shows. */
  draft: Draft | null;
  tryIt: ConnectorActions['tryIt'];
}

type With = 'execution' | 'sample';

/** Shows what would be sent and, when asked to, what would come of it. Keeps nothing. */
export function TrialPanel({ connectorId, tenantId, recipe, draft, tryIt }: TrialPanelProps) {
  const t = useTranslations('connectors.trial');
  const [source, setSource] = useState<With>('sample');
  const [reference, setReference] = useState('');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [proof, setProof] = useState<Proof>('PRESENCE');
  const [needed, setNeeded] = useState(false);
  const [asking, setAsking] = useState<'show' | 'ask' | null>(null);
  const [tried, setTried] = useState<{ answer: TrialAnswer; recipe: string } | null>(null);
  const shownTo = useShownTo();
  const placeholders = placeholdersOf(recipe);
  const text = JSON.stringify(recipe);
  const lacksReference = source === 'execution' && reference.trim() === '';

  const run = async (asks: boolean) => {
    setNeeded(true);
    if (lacksReference || asking !== null || draft?.isReady() === false) return;
    setAsking(asks ? 'ask' : 'show');
    const named = placeholders.map((name) => [name, values[name] ?? ''] as const);
    const subject =
      source === 'execution'
        ? { kind: 'execution', reference: reference.trim() }
        : { kind: 'sample', values: Object.fromEntries(named), proof };
    let answer: TrialAnswer;
    try {
      answer = await tryIt({ connectorId, tenantId, recipe, subject, asks, [SHOWN_TO]: shownTo });
    } catch {
      answer = { outcome: 'unknown' };
    }
    draft?.mark(answer.outcome === 'refused' ? { faults: answer.faults ?? [] } : null);
    setTried({ answer, recipe: text });
    setAsking(null);
  };

  return (
    <Panel title={t('title')} id="try">
      <form
        noValidate
        className="flex flex-col gap-3.5"
        onSubmit={(event) => {
          event.preventDefault();
          void run(false);
        }}
      >
        <p className="text-xs text-ink-muted">{t('lead')}</p>
        <Segmented
          label={t('with')}
          value={source}
          onChange={setSource}
          choices={[
            { value: 'sample', label: t('sample') },
            { value: 'execution', label: t('execution') },
          ]}
          className="self-start"
        />
        {source === 'execution' ? (
          <Field
            label={t('reference')}
            hint={t('referenceHint')}
            required
            error={needed && lacksReference ? t('referenceMissing') : undefined}
          >
            {(control) => (
              <Input
                {...control}
                name="reference"
                className="font-mono"
                maxLength={255}
                spellCheck={false}
                value={reference}
                onChange={(event) => setReference(event.target.value)}
              />
            )}
          </Field>
        ) : (
          <Samples
            placeholders={placeholders}
            values={values}
            proof={proof}
            onValue={(name, value) => setValues({ ...values, [name]: value })}
            onProof={setProof}
          />
        )}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" pending={asking === 'show'}>
            {t('show')}
          </Button>
          <Button look="primary" pending={asking === 'ask'} onClick={() => void run(true)}>
            {t('ask')}
          </Button>
        </div>
      </form>
      {draft !== null && needed && draft.problems().length > 0 && (
        <p role="status" className="mt-3 text-xs font-medium text-danger">
          {t('wrongFields', { fields: draft.problems().join(', ') })}
        </p>
      )}
      <div role="status" aria-live="polite" className="mt-4 empty:mt-0">
        {tried !== null && <TrialResult answer={tried.answer} outdated={tried.recipe !== text} />}
      </div>
    </Panel>
  );
}

interface SamplesProps {
  placeholders: readonly string[];
  values: Readonly<Record<string, string>>;
  proof: Proof;
  onValue: (name: string, value: string) => void;
  onProof: (proof: Proof) => void;
}

/** One value for each placeholder that the recipe names. */
function Samples({ placeholders, values, proof, onValue, onProof }: SamplesProps) {
  const t = useTranslations('connectors.trial');
  return (
    <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-1">
      {placeholders.map((name) => (
        <Field key={name} label={name}>
          {(control) => (
            <Input
              {...control}
              name={name}
              maxLength={500}
              spellCheck={false}
              value={values[name] ?? ''}
              onChange={(event) => onValue(name, event.target.value)}
            />
          )}
        </Field>
      ))}
      <Field label={t('proof')} required>
        {(control) => (
          <Select
            {...control}
            name="proof"
            value={proof}
            onChange={(event) => onProof(PROOFS.find((each) => each === event.target.value) ?? 'PRESENCE')}
            choices={PROOFS.map((each) => ({ value: each, label: t(`proofs.${each}`) }))}
          />
        )}
      </Field>
    </div>
  );
}
