import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ReactNode } from 'react';
import { type ConnectorStart, type ShippedRecipeView } from '@/lib/domain/connector-view';
import { classNames } from '../ui/class-names';
import { Panel } from '../ui/panel';
import { ShippedSettings } from './shipped-settings';
import { START_ADDRESS, startAddress } from './start-address';
import { useShippedText } from './use-shipped-text';

const WAYS = ['empty', 'shipped', 'copy'] as const;

/** What the form begins with: nothing, a recipe that comes along, or a copy; each is an address of its own. */
export function StartPanel({ start }: { start: ConnectorStart }) {
  const t = useTranslations('connectors.start');
  return (
    <Panel title={t('title')}>
      <nav aria-label={t('title')}>
        <ul className="flex flex-wrap gap-1 text-sm">
          {WAYS.map((way) => (
            <li key={way}>
              <Link
                href={way === 'empty' ? START_ADDRESS : startAddress(way)}
                aria-current={start.from === way ? 'page' : undefined}
                className={classNames(
                  'flex min-h-8 items-center rounded-md border px-3 py-1 max-md:min-h-10',
                  start.from === way
                    ? 'border-accent bg-accent-soft font-medium'
                    : 'border-line-strong text-ink-muted hover:bg-hover hover:text-ink',
                )}
              >
                {t(way)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Chosen start={start} />
    </Panel>
  );
}

function Chosen({ start }: { start: ConnectorStart }): ReactNode {
  const t = useTranslations('connectors.start');
  const textOf = useShippedText();
  if ('recipes' in start) return <ShippedList recipes={start.recipes} />;
  if ('connectors' in start)
    return (
      <>
        <p className="mt-3 text-sm text-ink-muted">
          {t(start.connectors.length === 0 ? 'copyNone' : 'copyLead')}
        </p>
        <ul className="mt-2 grid gap-x-4 gap-y-1 text-sm sm:grid-cols-2">
          {start.connectors.map(({ connectorId }) => (
            <li key={connectorId} className="min-w-0">
              <Link
                href={startAddress('copy', connectorId)}
                className="block truncate py-1 text-accent underline underline-offset-3"
              >
                {connectorId}
              </Link>
            </li>
          ))}
        </ul>
      </>
    );
  if ('of' in start) return <p className="mt-3 text-sm">{t('copied', { what: start.of })}</p>;
  if (!('shipped' in start)) return null;
  const { shipped, given, recipe } = start;
  const { title } = textOf(shipped.name);
  if (recipe === null) return <ShippedSettings shipped={shipped} title={title} given={given} />;
  return (
    <p className="mt-3 flex flex-wrap gap-x-3 gap-y-1 text-sm">
      {t('filled', { what: title })}{' '}
      <span className="text-ink-muted [overflow-wrap:anywhere]">
        {t('source', { source: shipped.source })}
      </span>
      <Link
        href={startAddress('shipped', shipped.name, { ...given, again: '1' })}
        className="text-accent underline underline-offset-3"
      >
        {t('settings')}
      </Link>
    </p>
  );
}

function ShippedList({ recipes }: { recipes: readonly ShippedRecipeView[] }) {
  const t = useTranslations('connectors.start');
  const textOf = useShippedText();
  return (
    <>
      <p className="mt-3 text-sm text-ink-muted">{t('shippedLead')}</p>
      <ul className="mt-2 flex flex-col divide-y divide-line text-sm">
        {recipes.map(({ name, source }) => {
          const { title, about } = textOf(name);
          return (
            <li key={name} className="flex flex-col gap-0.5 py-2.5">
              <Link
                href={startAddress('shipped', name)}
                className="w-fit font-medium text-accent underline underline-offset-3"
              >
                {title}
              </Link>
              <span>{about}</span>
              <span className="text-xs [overflow-wrap:anywhere] text-ink-muted">
                {t('source', { source })}
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
