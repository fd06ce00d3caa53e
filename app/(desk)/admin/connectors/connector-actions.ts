import { type ConnectorActions } from '@/components/connector/connector-actions';
import {
  decideConnectorAction,
  proposeConnectorAction,
  settleConnectorAction,
  tryConnectorAction,
} from './actions';

/** What the pages about connectors hand to their parts. */
export const CONNECTOR_ACTIONS: ConnectorActions = {
  propose: proposeConnectorAction,
  decide: decideConnectorAction,
  settle: settleConnectorAction,
  tryIt: tryConnectorAction,
};
