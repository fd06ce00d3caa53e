import { ChevronRight } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type AnswerDocument } from '@/lib/ledger/http/document-form';
import { JsonBlock } from './json-block';
import { Prose } from './prose';
import { SchemaType } from './schema-type';

type Examples = Readonly<Record<string, { readonly value: unknown }>>;

/** Each answer folded behind its status: a claim has some thirty, and nobody reads them all at once. */
export function Answers({ of, answers }: { of: string; answers: Readonly<Record<string, AnswerDocument>> }) {
  return (
    <ul className="divide-y divide-line rounded-md border border-line">
      {Object.entries(answers).map(([status, answer]) => (
        <li key={status}>
          <Answer of={of} status={status} answer={answer} />
        </li>
      ))}
    </ul>
  );
}

function Answer({ of, status, answer }: { of: string; status: string; answer: AnswerDocument }) {
  const t = useTranslations('docs');
  const [[, content] = []] = Object.entries(answer.content ?? {});
  const examples = Object.entries((content?.examples ?? {}) as Examples);
  // Problems look alike: one shows their form, and the description has their words.
  const shown = Number(status) >= 400 ? examples.slice(0, 1) : examples;
  const told = status === 'default' ? t('anyOther') : status;
  const headers = Object.keys(answer.headers ?? {});
  return (
    <details className="group">
      <summary className="flex cursor-pointer flex-wrap items-baseline gap-x-3 px-3 py-2 text-sm hover:bg-hover">
        <ChevronRight
          aria-hidden
          className="size-3.5 mt-0.5 shrink-0 self-start text-ink-muted group-open:rotate-90"
        />
        <span className={`min-w-10 font-mono font-semibold ${toneOf(status)}`}>{told}</span>
        <span lang="en" className="min-w-0 flex-1 font-mono text-xs text-ink-muted [overflow-wrap:anywhere]">
          {examples.map(([name]) => name).join(' · ')}
        </span>
      </summary>
      <div className="space-y-3 px-3 pb-3">
        <Prose className="text-sm text-ink-muted">{answer.description}</Prose>
        {headers.length > 0 && (
          <p className="text-sm">
            <span className="font-medium">{t('headers')}</span>{' '}
            <code lang="en" className="font-mono text-xs">
              {headers.join(', ')}
            </code>
          </p>
        )}
        {content !== undefined && <SchemaType schema={content.schema} />}
        {shown.map(([name, { value }]) => (
          <JsonBlock key={name} label={`${of} ${told} ${name}`} value={value} />
        ))}
      </div>
    </details>
  );
}

function toneOf(status: string): string {
  if (status.startsWith('2')) return 'text-confirmed';
  if (status.startsWith('4')) return 'text-caution';
  return status.startsWith('5') ? 'text-danger' : 'text-progress';
}
