'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { FilterChips } from '@/components/data-table/filter-chips';
import { FilterMenu } from '@/components/data-table/filter-menu';
import { KIND_LOOK } from '@/components/exception/kind-look';
import { Avatar } from '@/components/person/avatar';
import { ScopeFilters } from '@/components/scope/scope-filters';
import { EXCEPTION_KINDS, SEVERITIES, type ExceptionKind } from '@/lib/domain/exception-kinds';
import { DUE_TIMES } from '@/lib/domain/queue-query';
import { visibleText } from '@/lib/domain/visible-text';
import { type QueueFigures } from './queue-figures';
import { type QueueNames } from './queue-vocabulary';
import { useQueueAddress } from './use-queue-address';

export interface FilterPanelProps {
  id: string;
  figures: QueueFigures;
  chosenKinds: readonly ExceptionKind[];
  names: QueueNames;
  me: string;
  onClose: () => void;
}

const AGES = ['1h', '4h', '1d', '7d'] as const;

/** Every filter with what it would leave. Loaded when it is opened, which leads the keyboard into it; Esc leads back. */
export function QueueFilterPanel({ id, figures, chosenKinds, names, me, onClose }: FilterPanelProps) {
  const t = useTranslations('queue');
  const words = useTranslations('glossary');
  const { address } = useQueueAddress();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector('button')?.focus(), []);
  const kinds = EXCEPTION_KINDS.filter((kind) => figures.kinds[kind] !== '0' || chosenKinds.includes(kind));
  // Widened: whether a given age is among them is the question.
  const ages =
    address.age === null || (AGES as readonly string[]).includes(address.age) ? AGES : [...AGES, address.age];
  return (
    <div
      ref={place}
      id={id}
      className="flex flex-col gap-2.5"
      onKeyDown={(event) => {
        // A menu in here has taken its Esc already.
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
    >
      <FilterChips
        name="kind"
        label={t('kinds')}
        all={{ label: t('allKinds'), count: figures.total }}
        chips={kinds.map((kind) => ({
          value: kind,
          label: words(`kind.${kind}.label`),
          count: figures.kinds[kind],
          ...KIND_LOOK[kind],
        }))}
      />
      <div className="flex flex-wrap gap-2">
        <FilterMenu
          name="state"
          label={t('filter.state')}
          anyLabel={t('filter.open')}
          choices={[
            { value: 'closed', label: t('filter.closed') },
            { value: 'any', label: t('filter.anyState') },
          ]}
        />
        <FilterMenu
          multiple
          name="severity"
          label={t('filter.severity')}
          choices={SEVERITIES.map((severity) => ({
            value: String(severity),
            label: words(`severity.${severity}.label`),
            count: figures.severity[severity] ?? figures.rest,
          }))}
        />
        <FilterMenu
          multiple
          name="system"
          label={t('filter.system')}
          choices={(names.systems ?? []).map((system) => ({
            value: system,
            label: visibleText(system),
            count: figures.system[system] ?? figures.rest,
          }))}
        />
        <ScopeFilters
          labels={{ operation: t('filter.operation'), tenant: t('filter.tenant') }}
          operations={names.operations ?? []}
          countOf={(operation) => figures.operation[operation] ?? figures.rest}
          tenants={names.tenants ?? []}
        />
        <FilterMenu
          name="assignee"
          label={t('filter.assignee')}
          choices={[
            { value: 'me', label: t('filter.me'), count: figures.tabs.mine },
            { value: 'none', label: t('filter.nobody'), count: figures.tabs.unowned },
            ...(names.assignees ?? [])
              .filter(({ personId }) => personId !== me)
              .map(({ personId, displayName }) => ({
                value: personId,
                label: visibleText(displayName),
                lead: <Avatar personId={personId} name={displayName} className="size-5" />,
              })),
          ]}
        />
        <FilterMenu
          name="due"
          label={t('filter.due')}
          choices={DUE_TIMES.map((due) => ({ value: due, label: t(`query.due.${due}`) }))}
        />
        <FilterMenu
          name="age"
          label={t('filter.age')}
          choices={ages.map((age) => ({
            value: age,
            label: t(age.startsWith('<') ? 'query.age.younger' : 'query.age.older', {
              span: age.replace('<', ''),
            }),
          }))}
        />
      </div>
    </div>
  );
}
