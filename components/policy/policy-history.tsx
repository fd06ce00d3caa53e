'use client';

import { useTranslations } from 'next-intl';
import { type OperationPolicyContent } from '@/lib/domain/operation-policy';
import { type PolicyHistoryEntry } from '@/lib/domain/policy-row';
import { visibleText } from '@/lib/domain/visible-text';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Panel } from '../ui/panel';
import { Select } from '../ui/select';
import { OperationDifferenceList } from './operation-difference-list';

/** Two sayings of the history beside each other. */
export interface Comparison {
  readonly from: string;
  readonly to: string;
  /** Null: one of the two is not there. */
  readonly contents: readonly [OperationPolicyContent, OperationPolicyContent] | null;
}

interface PolicyHistoryProps {
  tenantId: string;
  operation: string;
  history: readonly PolicyHistoryEntry[];
  comparison: Comparison | null;
}

/** Every version and proposal, newest first, and the difference between any two: a plain form, so that it is an address. */
export function PolicyHistory({ tenantId, operation, history, comparison }: PolicyHistoryProps) {
  const t = useTranslations('policies.page');
  const nameOf = useEntryName();
  const choices = [
    ...history.map((entry) => ({ value: entry.ref, label: nameOf(entry) })),
    { value: 'v0', label: t('built') },
  ];
  const labelOf = (ref: string) => choices.find(({ value }) => value === ref)?.label ?? ref;
  const [newest] = history;
  const before = history.filter(({ kind }) => kind === 'version')[1];
  return (
    <Panel id="history" title={t('history')}>
      <p className="mb-3 text-xs text-ink-muted">{t(newest === undefined ? 'noHistory' : 'historyLead')}</p>
      <ol className="flex flex-col gap-3">
        {history.map((entry) => (
          <Entry key={entry.ref} entry={entry} />
        ))}
      </ol>
      {newest !== undefined && (
        <form
          action="/admin/policies/operation"
          className="mt-4 flex flex-wrap items-end gap-3 border-t border-line pt-3"
        >
          <input type="hidden" name="tenant" value={tenantId} />
          <input type="hidden" name="operation" value={operation} />
          <div className="min-w-40 flex-1">
            <Field label={t('from')} required>
              {(control) => (
                <Select
                  {...control}
                  key={comparison?.from}
                  name="from"
                  defaultValue={comparison?.from ?? before?.ref ?? 'v0'}
                  choices={choices}
                />
              )}
            </Field>
          </div>
          <div className="min-w-40 flex-1">
            <Field label={t('to')} required>
              {(control) => (
                <Select
                  {...control}
                  key={comparison?.to}
                  name="to"
                  defaultValue={comparison?.to ?? newest.ref}
                  choices={choices}
                />
              )}
            </Field>
          </div>
          <Button type="submit">{t('show')}</Button>
        </form>
      )}
      {comparison !== null && (
        <section id="differences" aria-label={t('compare')} className="mt-3 flex flex-col gap-2 text-sm">
          <h3 className="text-xs font-semibold">
            {t('differences', { from: labelOf(comparison.from), to: labelOf(comparison.to) })}
          </h3>
          {comparison.contents === null ? (
            <p>{t('noValue')}</p>
          ) : (
            <OperationDifferenceList before={comparison.contents[0]} after={comparison.contents[1]} />
          )}
        </section>
      )}
    </Panel>
  );
}

function useEntryName(): (entry: PolicyHistoryEntry) => string {
  const t = useTranslations('policies.page');
  return (entry) =>
    entry.kind === 'version'
      ? t('version', { version: entry.version })
      : `${t('proposal', { who: visibleText(entry.requestedBy ?? '') })} · ${entry.at.slice(0, 10)} · ${t(`state.${entry.state}`)}`;
}

function Entry({ entry }: { entry: PolicyHistoryEntry }) {
  const t = useTranslations('policies.page');
  const name = (text: string | null) => visibleText(text ?? '');
  return (
    <li className="border-l-2 border-line-strong pl-3 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">
          {entry.kind === 'version'
            ? t('version', { version: entry.version })
            : t('proposal', { who: name(entry.requestedBy) })}
        </span>
        <span className="text-xs text-ink-muted">
          {entry.kind === 'proposal' && t(`state.${entry.state}`)}
          {entry.kind === 'version' && entry.retiredAt === null && t('inForce')}
          {entry.kind === 'version' &&
            entry.retiredAt !== null &&
            t.rich('retired', { time: () => <Instant at={entry.retiredAt ?? ''} look="full" /> })}
        </span>
      </p>
      <p className="text-xs text-ink-muted">
        <Instant at={entry.at} look="full" />
        {entry.kind === 'version' && (
          <>
            {' · '}
            {entry.requestedBy === null
              ? t('installed')
              : t('confirmed', { who: name(entry.requestedBy), other: name(entry.decidedBy) })}
          </>
        )}
      </p>
      {entry.reason !== null && (
        <p className="mt-0.5 text-ink-muted">
          <VisibleText text={entry.reason} paragraphs />
        </p>
      )}
    </li>
  );
}
