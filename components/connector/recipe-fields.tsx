'use client';

import { useTranslations } from 'next-intl';
import {
  CONNECTOR_SECTIONS,
  type ConnectorField,
  type ConnectorSection,
} from '@/lib/domain/connector-fields';
import { fieldsOf } from '@/lib/domain/connector-form';
import { VisibleText } from '../text/visible-text';
import { Panel } from '../ui/panel';
import { MemberField } from './member-field';
import { type Draft } from './use-draft';

/** Members that stand side by side where there is room: short ones, and places in an answer. */
const isShort = ({ kind, section }: ConnectorField): boolean =>
  ['number', 'flag'].includes(kind) ||
  (['text', 'place', 'words', 'choice'].includes(kind) && !['place', 'question'].includes(section));

/** All members of a recipe, part by part. */
export function RecipeFields({ draft }: { draft: Draft }) {
  const t = useTranslations('connectors');
  const asked = new Set<ConnectorSection>(fieldsOf(draft.draft).map(({ section }) => section));
  const rest = Object.entries(draft.draft.rest);
  return (
    <>
      {CONNECTOR_SECTIONS.filter((section) => asked.has(section)).map((section) => (
        <Panel key={section} title={t(`section.${section}`)} id={section}>
          <p className="mb-3 text-sm text-ink-muted">{t(`sectionLead.${section}`)}</p>
          {section === 'question' && <PlaceholderHelp />}
          <SectionFields section={section} draft={draft} />
        </Panel>
      ))}
      {rest.length > 0 && (
        <Panel title={t('more')}>
          <p className="mb-2 text-sm text-ink-muted">{t('moreKept')}</p>
          {rest.map(([name, value]) => (
            <p key={name} className="[overflow-wrap:anywhere]">
              <VisibleText text={`${name}: ${JSON.stringify(value)}`} className="font-mono text-xs" />
            </p>
          ))}
        </Panel>
      )}
    </>
  );
}

function SectionFields({ section, draft }: { section: ConnectorSection; draft: Draft }) {
  const fields = fieldsOf(draft.draft).filter((field) => field.section === section);
  return (
    <div className="grid items-start gap-x-4 gap-y-4 sm:grid-cols-2">
      {fields.map((field) => (
        <div key={field.key} className={isShort(field) ? 'min-w-0' : 'min-w-0 sm:col-span-full'}>
          <MemberField
            field={field}
            words={draft.wordsOf(field.key)}
            value={draft.draft.values[field.key]}
            error={draft.errorOf(field.key)}
            onChange={(value) => draft.change(field.key, value)}
          />
        </div>
      ))}
    </div>
  );
}

const PLACEHOLDERS = [
  'key',
  'requestId',
  'externalRequestKey',
  'externalJobId',
  'businessRef',
  'contentVersion',
  'account',
  'resultId',
] as const;

/** Every value of an execution that can stand in a question or a comparison. */
function PlaceholderHelp() {
  const t = useTranslations('connectors');
  return (
    <details className="mb-4 rounded-md border border-line px-3 py-2 text-sm">
      <summary className="cursor-pointer text-xs font-medium">{t('placeholders')}</summary>
      <dl className="mt-2 grid gap-x-4 gap-y-1 text-xs sm:grid-cols-[auto_minmax(0,1fr)]">
        {PLACEHOLDERS.map((name) => (
          <div key={name} className="contents">
            <dt className="font-mono">{`{${name}}`}</dt>
            <dd className="text-ink-muted">{t(`placeholder.${name}`)}</dd>
          </div>
        ))}
        <div className="contents">
          <dt className="font-mono">{'{display:/…}'}</dt>
          <dd className="text-ink-muted">{t('placeholder.display')}</dd>
        </div>
      </dl>
    </details>
  );
}
