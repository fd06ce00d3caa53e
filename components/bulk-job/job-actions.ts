import { type CommandAction, type SettleAction } from '../decision/command-action';

/** What the pages of bulk jobs call. */
export interface JobActions {
  prepare: CommandAction;
  steer: CommandAction;
  settle: SettleAction;
}
