import { useTranslations } from 'next-intl';
import { type JsonSchema } from '@/lib/ledger/http/document-schemas';
import { Prose } from './prose';
import { SchemaType } from './schema-type';

type Members = Readonly<Record<string, JsonSchema>>;

/** The members of an object, nested ones below their own. */
export function SchemaFields({ schema }: { schema: JsonSchema }) {
  const t = useTranslations('docs');
  const members = Object.entries((schema.properties ?? {}) as Members);
  if (members.length === 0) return null;
  return (
    <ul className="divide-y divide-line">
      {members.map(([name, member]) => (
        <li key={name} className="py-2">
          <div className="flex flex-wrap items-baseline gap-x-3">
            <code lang="en" className="font-mono text-sm font-medium">
              {name}
            </code>
            <SchemaType schema={member} />
            {schema.required?.includes(name) && <span className="text-xs text-caution">{t('required')}</span>}
          </div>
          {member.description !== undefined && (
            <Prose className="mt-0.5 text-sm text-ink-muted">{member.description}</Prose>
          )}
          {member.properties !== undefined && (
            <div className="mt-1 border-l-2 border-line pl-4">
              <SchemaFields schema={member} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
