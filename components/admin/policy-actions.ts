import { type CommandAction, type SettleAction } from '../decision/command-action';

export interface PolicyActions {
  readonly propose: CommandAction;
  readonly decide: CommandAction;
  readonly settle: SettleAction;
}
