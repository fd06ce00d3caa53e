import { type TrialAnswer } from '@/lib/domain/connector-view';
import { type CommandAction, type SettleAction } from '../decision/command-action';

/** What administrators do about connectors. */
export interface ConnectorActions {
  readonly propose: CommandAction;
  readonly decide: CommandAction;
  readonly settle: SettleAction;
  readonly tryIt: (input: Readonly<Record<string, unknown>>) => Promise<TrialAnswer>;
}
