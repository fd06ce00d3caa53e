'use client';

import { type ComponentProps } from 'react';
import { ExceptionsTable } from '@/components/exception/exceptions-table';
import { SteadyList } from '@/components/exception/steady-list';

interface QueueListProps extends Omit<ComponentProps<typeof ExceptionsTable>, 'gone'> {
  /** What the rows were asked for by. */
  question: string;
}

/** The queue's rows, which keep their places until the reader asks for newer ones. */
export function QueueList({ rows, question, ...table }: QueueListProps) {
  return (
    <SteadyList rows={rows} question={question}>
      {(shown, gone) => <ExceptionsTable {...table} rows={shown} gone={gone} />}
    </SteadyList>
  );
}
