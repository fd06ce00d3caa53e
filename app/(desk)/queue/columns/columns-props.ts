import { type CommandAction } from '@/components/decision/command-action';
import { type QueueColumn } from '@/lib/domain/queue-columns';

export interface ColumnsProps {
  /** What is shown now; null: the default. */
  columns: readonly QueueColumn[] | null;
  choose: CommandAction;
}
