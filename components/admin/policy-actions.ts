import { type CommandAction, type SettleAction } from '../decision/command-action';

/** What administrators do about approval policies. */
export interface PolicyActions {
  readonly propose: CommandAction;
  readonly decide: CommandAction;
  readonly settle: SettleAction;
}
