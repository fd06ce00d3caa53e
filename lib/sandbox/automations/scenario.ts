import { type ExceptionKind } from '@/lib/domain/exception-kinds';
import { type Automation } from './automation';
import { type OperationName, type PrincipalName } from './intent';

/** A piece of automatic work, run as a process of its own. */
export interface Scenario {
  name: string;
  principal: PrincipalName | 'north-sql';
  /** The kind of exception that it ends in; null for work that goes well. */
  kind: ExceptionKind | null;
  /** Where the supervisor kills the process. */
  killAt?: { point: 'before-send' | 'after-commit'; operation: OperationName };
  /**
   * False when the principal cannot see from its own executions that a person settled the exception; such runs count
   * as open for a day.
   */
  visible: boolean;
  run(automation: Automation): Promise<void>;
}
