import { type Metadata } from 'next';
import { cookies } from 'next/headers';
import { getTranslations } from 'next-intl/server';
import { chosenTheme, THEME_COOKIE } from '@/components/shell/preferences';
import { apiDocument } from '@/lib/ledger/http/api-document';
import { DocsFrame } from './docs-frame';
import { OperationSection, type Operation } from './operation-section';
import { Prose } from './prose';
import { SchemaFields } from './schema-fields';
import { schemaAnchor, SchemaType } from './schema-type';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('docs'))('title') };
}

const { info, paths, tags, servers, components } = apiDocument();

const OPERATIONS: readonly Operation[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    address: `${servers[0]?.url ?? ''}${path}`,
  })),
);

/** The API's document as a page, drawn on the server: it needs no script of its own and nothing from elsewhere. */
export default async function DocsPage() {
  const [t, jar] = await Promise.all([getTranslations('docs'), cookies()]);
  const schemas = Object.entries(components.schemas);
  return (
    <DocsFrame theme={chosenTheme(jar.get(THEME_COOKIE)?.value)} contents={<Contents title={t('schemas')} />}>
      <h1 className="text-2xl font-semibold tracking-[-0.02em]">{t('title')}</h1>
      <p className="mt-1 text-base text-ink-muted">
        {t('lead')} {t('inEnglish')}
      </p>
      <p className="mt-2 text-sm">
        <a href="/api/v1/openapi.json" className="text-accent underline underline-offset-2">
          {t('document')}
        </a>
      </p>
      <Prose className="mt-4 max-w-[48rem] text-base">{info.description}</Prose>
      <h2 className="mt-6 text-lg font-semibold">{t('access')}</h2>
      <p className="mt-1 text-base text-ink-muted">{t('bearer')}</p>
      <p lang="en" className="mt-2 font-mono text-sm [overflow-wrap:anywhere]">
        Authorization: Bearer oo_live_…
      </p>
      {tags.map(({ name, description }) => (
        <section key={name} id={name} aria-labelledby={`${name}-title`} className="mt-10 scroll-mt-4">
          <h2 id={`${name}-title`} lang="en" className="text-xl font-semibold">
            {name}
          </h2>
          <Prose className="mt-0.5 mb-4 text-base text-ink-muted">{description}</Prose>
          {OPERATIONS.filter((operation) => operation.tags.includes(name)).map((operation) => (
            <OperationSection
              key={operation.operationId}
              operation={operation}
              schemas={components.schemas}
            />
          ))}
        </section>
      ))}
      <section id="schemas" aria-labelledby="schemas-title" className="mt-10 scroll-mt-4">
        <h2 id="schemas-title" className="mb-4 text-xl font-semibold">
          {t('schemas')}
        </h2>
        {schemas.map(([name, schema]) => (
          <section key={name} id={schemaAnchor(name)} className="scroll-mt-4 border-t border-line py-4">
            <h3 lang="en" className="font-mono text-base font-semibold">
              {name}
            </h3>
            {schema.properties === undefined ? (
              <SchemaType schema={schema} />
            ) : (
              <SchemaFields schema={schema} />
            )}
          </section>
        ))}
      </section>
    </DocsFrame>
  );
}

function Contents({ title }: { title: string }) {
  const link = 'block rounded-sm px-2 py-1 hover:bg-hover';
  return (
    <ul className="space-y-4">
      {tags.map(({ name }) => (
        <li key={name} lang="en">
          <a href={`#${name}`} className={`${link} font-semibold`}>
            {name}
          </a>
          <ul>
            {OPERATIONS.filter(({ tags: of }) => of.includes(name)).map(({ operationId, summary }) => (
              <li key={operationId}>
                <a href={`#${operationId}`} className={`${link} text-ink-muted`}>
                  {summary}
                </a>
              </li>
            ))}
          </ul>
        </li>
      ))}
      <li>
        <a href="#schemas" className={`${link} font-semibold`}>
          {title}
        </a>
      </li>
    </ul>
  );
}
