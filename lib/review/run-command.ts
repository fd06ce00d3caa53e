import 'server-only';
import type { z } from 'zod';
import { OutcomeUnknownError, transaction } from '@/lib/db/transaction';
import { sqlstateOf } from '@/lib/db/sqlstate';
import type { AuditEventName } from '@/lib/domain/audit-events';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import type { ConnectorContent } from '@/lib/domain/connector-view';
import type { PolicyContent } from '@/lib/domain/approval-policy';
import type { OperationPolicyContent } from '@/lib/domain/operation-policy';
import { isRefusalCode, type RefusalCode } from '@/lib/domain/refusals';
import { findSecrets } from '@/lib/domain/secret-screen';
import { safeParse } from '@/lib/domain/safe-parse';
import { stringsIn } from '@/lib/domain/strings-in';
import { auditRefusal } from './audit-refusal';
import type { DeskContext } from './desk-context';
import { settleOperation } from './settle-operation';

/** What guards of the desk's own tables raise, whichever function meets them. */
const DESK_GUARDS: Readonly<Record<string, RefusalCode>> = {
  // The acting person is gone or disabled; raised by review.held_actor().
  OA003: 'ACCOUNT_DISABLED',
  OA013: 'RIGHT_TOO_NEW',
  OA015: 'STEP_UP_NEEDED',
};
/** What the ledger's own guards raise, whoever writes: a decision that meets one has not come about. */
const LEDGER_GUARD = /^OO00[1-7]$/;

export interface Command<Input extends CommandInput> {
  /** Closed schema: unknown members are refused. */
  input: z.ZodType<Input>;
  /** The event under which a refusal made before the database is kept. */
  event: AuditEventName;
  /** A member whose texts the command screens by itself, because it may name secrets. */
  screens?: keyof Input & string;
  /** One SQL function, jsonb in and out, that judges, changes and audits in this transaction. */
  statement: string;
}

export interface CommandInput {
  operationId: string;
  exceptionId?: string;
  executionId?: string;
  requestId?: string;
}

/** Answer of a decision function: {"outcome": "done" | "requested" | "refused", …}. */
interface SqlAnswer {
  outcome: 'done' | 'requested' | 'refused';
  repeated?: boolean;
  requestId?: string;
  inputRef?: string;
  code?: string;
  decidedBy?: string | null;
  voidReason?: string | null;
  policy?: PolicyContent;
  connector?: ConnectorContent;
  operationPolicy?: OperationPolicyContent;
  reportId?: string;
  jobId?: string;
  rows?: { exceptionId: string; code: string | null }[];
}

export type Parsed<Input> = { ok: true; input: Input } | { ok: false; answer: CommandAnswer };

/** Form and secrets, judged before the database sees anything. What is refused here is audited, its text is not. */
export async function parseCommand<Input extends CommandInput>(
  ctx: DeskContext,
  command: Pick<Command<Input>, 'input' | 'event' | 'screens'>,
  raw: unknown,
): Promise<Parsed<Input>> {
  const parsed = safeParse(command.input, raw);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => issue.path.join('.')).slice(0, 20);
    await auditRefusal(ctx, command.event, 'INVALID_INPUT', {}, { faults });
    return { ok: false, answer: { outcome: 'refused', code: 'INVALID_INPUT' } };
  }
  const texts = Object.entries(parsed.data).flatMap(([name, value]) =>
    name === command.screens ? [] : stringsIn(value),
  );
  const secrets = [...new Set(texts.flatMap(findSecrets))];
  if (secrets.length > 0) {
    await auditRefusal(ctx, command.event, 'SECRET_IN_TEXT', parsed.data, { secrets });
    return { ok: false, answer: { outcome: 'refused', code: 'SECRET_IN_TEXT', secrets } };
  }
  return { ok: true, input: parsed.data };
}

/** Runs the command's function in one transaction of the acting person. */
export async function carryOut<Input extends CommandInput>(
  ctx: DeskContext,
  command: Pick<Command<Input>, 'event' | 'statement'>,
  input: Input,
): Promise<CommandAnswer> {
  return answering(ctx, command.event, input, async () => {
    const answer = await transaction(ctx.pool, ctx.context, async (tx) => {
      const { rows } = await tx.query<{ answer: SqlAnswer }>(command.statement, [JSON.stringify(input)]);
      return rows[0]?.answer;
    });
    if (answer === undefined) throw new Error(`bug: no answer of ${command.statement}`);
    return toAnswer(answer);
  });
}

/**
 * Turns what can be foreseen of an act into an answer: a lost COMMIT into what the operation id tells; a person who was
 * disabled a moment ago, and what a guard of the ledger refuses, into a refusal, audited in a transaction of its own
 * since the act's was rolled back.
 */
export async function answering(
  ctx: DeskContext,
  event: AuditEventName,
  subject: Partial<CommandInput>,
  work: () => Promise<CommandAnswer>,
): Promise<CommandAnswer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OutcomeUnknownError)
      return subject.operationId === undefined
        ? { outcome: 'unknown' }
        : settleOperation(ctx, subject.operationId);
    const code = refusalOf(sqlstateOf(error));
    if (code === null) throw error;
    await auditRefusal(ctx, event, code, subject, {});
    return { outcome: 'refused', code };
  }
}

function refusalOf(sqlstate: string | undefined): RefusalCode | null {
  if (sqlstate === undefined) return null;
  return DESK_GUARDS[sqlstate] ?? (LEDGER_GUARD.test(sqlstate) ? 'LEDGER_REFUSED' : null);
}

/** Parse, then carry out: the whole of most commands. */
export async function runCommand<Input extends CommandInput>(
  ctx: DeskContext,
  command: Command<Input>,
  raw: unknown,
): Promise<CommandAnswer> {
  const parsed = await parseCommand(ctx, command, raw);
  return parsed.ok ? carryOut(ctx, command, parsed.input) : parsed.answer;
}

function toAnswer(answer: SqlAnswer): CommandAnswer {
  const repeated = answer.repeated === true;
  switch (answer.outcome) {
    case 'done':
      return {
        outcome: 'done',
        repeated,
        ...(answer.inputRef === undefined ? {} : { inputRef: answer.inputRef }),
        ...(answer.reportId === undefined ? {} : { reportId: answer.reportId }),
        ...(answer.jobId === undefined ? {} : { jobId: answer.jobId }),
        ...(answer.rows === undefined ? {} : { planned: answer.rows.map(plannedRow) }),
      };
    case 'requested':
      if (answer.requestId === undefined) throw new Error('bug: a request without its id');
      return { outcome: 'requested', repeated, requestId: answer.requestId };
    case 'refused':
      return {
        outcome: 'refused',
        code: refusalCode(answer.code),
        ...(answer.decidedBy === undefined ? {} : { decidedBy: answer.decidedBy }),
        ...(answer.voidReason === undefined ? {} : { voidReason: answer.voidReason }),
        ...(answer.policy === undefined ? {} : { policy: answer.policy }),
        ...(answer.connector === undefined ? {} : { connector: answer.connector }),
        ...(answer.operationPolicy === undefined ? {} : { operationPolicy: answer.operationPolicy }),
        ...(answer.reportId === undefined ? {} : { reportId: answer.reportId }),
      };
    default: {
      const impossible: never = answer.outcome;
      throw new Error(`bug: unknown outcome ${String(impossible)}`);
    }
  }
}

const plannedRow = ({ exceptionId, code }: { exceptionId: string; code: string | null }) => ({
  exceptionId,
  code: code === null ? null : refusalCode(code),
});

function refusalCode(code: unknown): RefusalCode {
  if (!isRefusalCode(code)) throw new Error(`bug: a refusal that has no words: ${String(code)}`);
  return code;
}
