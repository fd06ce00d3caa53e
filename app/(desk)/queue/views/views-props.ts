import { type CommandAction } from '@/components/decision/command-action';
import { type QueueView } from '@/lib/domain/queue-view';

/** A view with the parameters of its address that the queue does not know any more. */
export type ReadView = QueueView & { readonly misread: readonly string[] };

export interface ViewsProps {
  /** Null: could not be read. */
  views: readonly ReadView[] | null;
  /** The reader's tenants, with whose people a view can be shared. */
  tenants: readonly { tenantId: string; displayName: string }[];
  me: string;
  isAdmin: boolean;
  keep: CommandAction;
  remove: CommandAction;
}
