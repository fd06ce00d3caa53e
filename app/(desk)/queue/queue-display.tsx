'use client';

import { Settings2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useDensityParameter, useSortParameter } from '@/components/data-table/table-address';
import { Button } from '@/components/ui/button';
import { Menu, MenuChoices } from '@/components/ui/menu';
import { QUEUE_GROUPINGS, type QueueGrouping } from '@/lib/domain/queue-groups';
import { useQueueAddress } from './use-queue-address';

/** How the list looks, whatever is in it: order, grouping, height of the rows. */
export function QueueDisplay({ defaultSort }: { defaultSort: string }) {
  const t = useTranslations('queue');
  const tTable = useTranslations('common.table');
  const { address, change } = useQueueAddress();
  const [sort, setSort] = useSortParameter(defaultSort);
  const [density, setDensity] = useDensityParameter();
  return (
    <Menu
      align="end"
      trigger={
        <Button>
          <Settings2 aria-hidden className="text-ink-muted" />
          {t('display')}
        </Button>
      }
    >
      <MenuChoices
        titled
        label={tTable('sort')}
        value={sort}
        onChange={setSort}
        choices={[
          { value: 'severity', label: t('sort.urgency') },
          { value: 'due', label: t('sort.due') },
          { value: 'opened', label: t('sort.oldest') },
          { value: '-opened', label: t('sort.newest') },
        ]}
      />
      <MenuChoices<QueueGrouping | 'off'>
        titled
        label={t('groups.by')}
        value={address.group ?? 'off'}
        onChange={(by) => change({ group: by === 'off' ? null : by })}
        choices={[
          { value: 'off', label: t('groups.off') },
          ...QUEUE_GROUPINGS.map((by) => ({ value: by, label: t(`groups.choice.${by}`) })),
        ]}
      />
      <MenuChoices
        titled
        label={tTable('density')}
        value={density}
        onChange={setDensity}
        choices={[
          { value: 'comfortable', label: tTable('comfortable') },
          { value: 'compact', label: tTable('compact') },
        ]}
      />
    </Menu>
  );
}
