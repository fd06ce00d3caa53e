import { type CommandAction, type SettleAction } from '../decision/command-action';

export interface DeskActions {
  readonly assign: CommandAction;
  readonly comment: CommandAction;
  readonly defer: CommandAction;
  readonly linkTicket: CommandAction;
  readonly settle: SettleAction;
}
