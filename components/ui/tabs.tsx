'use client';

import { Tabs as Radix } from 'radix-ui';
import { type ReactNode } from 'react';

interface TabsProps {
  label: string;
  tabs: readonly { id: string; title: ReactNode; body: ReactNode }[];
  /** Which one is open first. */
  first?: string;
}

/** Views of one thing; arrows move between them. For what must be in the address, use links instead. */
export function Tabs({ label, tabs, first }: TabsProps) {
  return (
    <Radix.Root defaultValue={first ?? tabs[0]?.id}>
      <Radix.List aria-label={label} className="flex gap-4 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.id}
            value={tab.id}
            className="-mb-px border-b-2 border-transparent pb-2 text-sm whitespace-nowrap text-ink-muted hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
          >
            {tab.title}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.id} value={tab.id} className="pt-4">
          {tab.body}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
