import { useTranslations } from 'next-intl';
import { CONNECTOR_SECTIONS, type ConnectorSection } from '@/lib/domain/connector-fields';
import { draftOf, fieldsOf, type ConnectorDraft } from '@/lib/domain/connector-form';
import { type FieldRow } from '@/lib/domain/connector-rows';
import { VisibleText } from '../text/visible-text';
import { useFieldWords } from './use-field-words';
import { ValueText } from './value-text';

/** What a recipe says, part by part: what is asked in one line, then every member that says something. */
export function RecipeText({ recipe }: { recipe: unknown }) {
  const t = useTranslations('connectors');
  const draft = draftOf(recipe);
  const further = Object.entries(draft.rest);
  return (
    <div className="flex flex-col gap-4 text-sm">
      <p className="flex flex-col gap-1 rounded-md bg-sunken px-3 py-2">
        <span className="text-xs text-ink-muted">{t('asks')}</span>
        <VisibleText text={questionLine(draft)} className="font-mono text-xs" />
      </p>
      {CONNECTOR_SECTIONS.map((section) => (
        <SectionText key={section} section={section} draft={draft} />
      ))}
      {further.length > 0 && (
        <section className="flex flex-col gap-1">
          <h3 className="text-xs font-semibold">{t('more')}</h3>
          {further.map(([name, value]) => (
            <VisibleText
              key={name}
              text={`${name}: ${JSON.stringify(value)}`}
              className="font-mono text-xs"
            />
          ))}
        </section>
      )}
    </div>
  );
}

function SectionText({ section, draft }: { section: ConnectorSection; draft: ConnectorDraft }) {
  const t = useTranslations('connectors');
  const wordsOf = useFieldWords(draft.values.kind);
  const said = fieldsOf(draft).filter((field) => {
    const value = draft.values[field.key];
    // A no and an endless time say something; what is left out says nothing.
    const says = field.nullable === true || typeof value === 'boolean' || (value?.length ?? 0) > 0;
    return field.section === section && says;
  });
  if (said.length === 0) return null;
  return (
    <section className="flex flex-col gap-2 border-t border-line pt-3">
      <h3 className="text-xs font-semibold">{t(`section.${section}`)}</h3>
      <dl className="grid gap-x-6 gap-y-2.5 sm:grid-cols-2">
        {said.map((field) => (
          <div
            key={field.key}
            className={['rows', 'long'].includes(field.kind) ? 'min-w-0 sm:col-span-full' : 'min-w-0'}
          >
            <dt className="text-xs text-ink-muted">{wordsOf(field.key).label}</dt>
            <dd className="mt-0.5 [overflow-wrap:anywhere]">
              <ValueText fieldKey={field.key} value={draft.values[field.key] ?? ''} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** `GET https://…/records/{key}?a={b}`, placeholders and all; of a database its SELECT. */
function questionLine({ values }: ConnectorDraft): string {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  if (values.kind === 'postgres') return text(values.sql);
  const pairs = Array.isArray(values.query) ? (values.query as readonly FieldRow[]) : [];
  const query = pairs.map((row) => `${row['name'] ?? ''}=${row['value'] ?? ''}`).join('&');
  const address = `${text(values.baseUrl).replace(/\/$/, '')}/${text(values.path)}`;
  return `GET ${address}${query === '' ? '' : `?${query}`}`;
}
