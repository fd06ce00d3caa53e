import { useTranslations } from 'next-intl';
import { type ReactNode } from 'react';
import { type OperationDocument, type ParameterDocument } from '@/lib/ledger/http/document-form';
import { type JsonSchema } from '@/lib/ledger/http/document-schemas';
import { Answers } from './answers';
import { JsonBlock } from './json-block';
import { Prose } from './prose';
import { SchemaFields } from './schema-fields';
import { SchemaType } from './schema-type';

export interface Operation extends OperationDocument {
  readonly method: string;
  readonly address: string;
}

interface OperationSectionProps {
  readonly operation: Operation;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** One call: where it is, what it takes, and everything that it may answer. */
export function OperationSection({ operation, schemas }: OperationSectionProps) {
  const t = useTranslations('docs');
  const { operationId, method, address, summary, description, parameters, requestBody, responses } =
    operation;
  const body = requestBody?.content['application/json'];
  const bodyName = body?.schema.$ref?.split('/').at(-1);
  return (
    <section
      id={operationId}
      aria-labelledby={`${operationId}-title`}
      className="scroll-mt-4 border-t border-line py-6"
    >
      <h3 id={`${operationId}-title`} lang="en" className="text-lg font-semibold">
        {summary}
      </h3>
      <p lang="en" className="mt-1 font-mono text-sm [overflow-wrap:anywhere]">
        <span className="font-semibold text-accent">{method}</span> {address}
      </p>
      <Prose className="mt-2 max-w-[44rem] text-base text-ink-muted">{description}</Prose>
      {parameters.length > 0 && (
        <Part title={t('parameters')}>
          <Parameters parameters={parameters} />
        </Part>
      )}
      {body !== undefined && bodyName !== undefined && (
        <Part title={t('body')}>
          <div className="grid gap-x-6 gap-y-3 xl:grid-cols-2">
            <div className="min-w-0">
              <SchemaFields schema={schemas[bodyName] ?? {}} />
            </div>
            <div className="min-w-0">
              <JsonBlock label={`${summary}: ${t('example')}`} value={body.example} />
            </div>
          </div>
        </Part>
      )}
      <Part title={t('answers')}>
        <Answers of={summary} answers={responses} />
      </Part>
    </section>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mt-4">
      <h4 className="mb-1.5 text-sm font-semibold">{title}</h4>
      {children}
    </div>
  );
}

function Parameters({ parameters }: { parameters: readonly ParameterDocument[] }) {
  const t = useTranslations('docs');
  return (
    <ul className="divide-y divide-line">
      {parameters.map(({ name, in: where, required, description, schema }) => (
        <li key={name} className="py-2">
          <div className="flex flex-wrap items-baseline gap-x-3">
            <code lang="en" className="font-mono text-sm font-medium">
              {name}
            </code>
            <SchemaType schema={schema} />
            <span className="text-xs text-ink-muted">{t(`where.${where}`)}</span>
            {required && <span className="text-xs text-caution">{t('required')}</span>}
          </div>
          {description !== undefined && (
            <Prose className="mt-0.5 text-sm text-ink-muted">{description}</Prose>
          )}
        </li>
      ))}
    </ul>
  );
}
