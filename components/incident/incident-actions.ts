import { type CommandAction, type SettleAction } from '../decision/command-action';

/** What people do about an outage and the provider's report on it. */
export interface IncidentActions {
  readonly lookUp: CommandAction;
  readonly propose: CommandAction;
  readonly check: CommandAction;
  readonly decide: CommandAction;
  readonly settle: SettleAction;
}
