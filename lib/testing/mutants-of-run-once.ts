// Same-database mode broken in small ways. See mutants.ts.
import type { Mutant } from './mutant';

const ARRIVAL = 'lib/ledger/run-once/arrival.ts';
const ENDS = 'lib/ledger/run-once/transaction-end.ts';
const FAILURES = 'lib/ledger/run-once/failures.ts';
const GATE = 'lib/ledger/run-once/statement-gate.ts';
const JUDGE = 'lib/ledger/run-once/judge-claim.ts';
const LOOP = 'lib/ledger/run-once/run-once.ts';
const PG = 'lib/ledger/run-once/pg-database.ts';
const PRISMA = 'lib/ledger/run-once/prisma-database.ts';
const RUN = 'lib/ledger/run-once/one-run.ts';
const SETTLE = 'lib/ledger/run-once/settle.ts';
const TRANSACTION = 'lib/db/transaction.ts';

export const MUTANTS_OF_RUN_ONCE: readonly Mutant[] = [
  // One transaction
  {
    rule: 'R-022',
    file: PG,
    find: '() => tx.query(text, values)',
    replace: '() => pool.query(text, [...(values ?? [])])',
  },
  { rule: 'R-022', file: PRISMA, find: 'work(tx)),', replace: 'work(prisma as never)),' },
  {
    rule: 'R-022',
    file: RUN,
    find: 'return completed(await complete(sql, transactionId, execution, result), result);',
    replace: "return { kind: 'COMPLETED', execution, result };",
  },
  { rule: 'R-022', file: JUDGE, find: 'if (execution.effectStartedAt !== null)', replace: 'if (false)' },
  { rule: 'R-022', file: SETTLE, find: 'if (response === undefined)', replace: 'if (true)' },
  { rule: 'R-022', file: SETTLE, find: 'if (answer?.code !== null ||', replace: 'if (' },
  { rule: 'R-022', file: ARRIVAL, find: 'policy ?? WHOLE_PAYLOAD', replace: 'WHOLE_PAYLOAD' },
  // The refusal
  { rule: 'R-023', file: RUN, find: 'await rollbackTo(sql, savepoint);', replace: '' },
  {
    rule: 'R-023',
    file: RUN,
    find: 'refused(await failFinally(sql, transactionId, execution, error), error)',
    replace: "{ kind: 'FAILED', execution, retryable: false, refusal: error }",
  },
  {
    rule: 'R-023',
    file: RUN,
    find: 'if (!(error instanceof FinalRefusal)) throw error;',
    replace: 'throw error;',
  },
  { rule: 'R-023', file: GATE, find: 'this.open = false;', replace: '' },
  { rule: 'R-022', file: GATE, find: 'await Promise.allSettled(this.running);', replace: '' },
  { rule: 'R-023', file: SETTLE, find: 'stored(refusal.response)', replace: 'stored(undefined)' },
  // The end of the transaction
  {
    rule: 'R-023',
    file: RUN,
    find: "`before_the_change_${newAttemptId().replaceAll('-', '_')}`",
    replace: "'before_the_change'",
  },
  { rule: 'R-022', file: RUN, find: 'ENDED.includes(sqlstateOf(error))', replace: 'false' },
  { rule: 'R-022', file: SETTLE, find: 'if (rows.length === 0) throw foundEnded();', replace: '' },
  { rule: 'R-022', file: GATE, find: 'if (end !== null) return', replace: 'if (false) return' },
  { rule: 'R-022', file: GATE, find: 'if (this.refused !== null) throw this.refused;', replace: '' },
  {
    rule: 'R-022',
    file: PRISMA,
    find: 'gate.pass(() => query(args), textOf(args))',
    replace: 'gate.pass(() => query(args), null)',
  },
  { rule: 'R-022', file: PG, find: 'textOf(text)),', replace: 'null),' },
  {
    rule: 'R-022',
    file: ENDS,
    find: "(first === 'rollback' && !isPartial)",
    replace: "first === 'rollback'",
  },
  { rule: 'R-022', file: ENDS, find: "if (opening === '/*') return", replace: 'if (false) return' },
  {
    rule: 'R-022',
    file: ENDS,
    find: "if (!opening.startsWith('$')) return after;",
    replace: 'return after;',
  },
  { rule: 'R-022', file: SETTLE, find: "requireStorable(resultFaults(result), 'result');", replace: '' },
  {
    rule: 'R-022',
    file: SETTLE,
    find: "requireStorable(why === null ? [] : [{ member: 'code', why }], 'refusal');",
    replace: '',
  },
  { rule: 'R-037c', file: RUN, find: "retryable: state === 'FAILED_RETRYABLE'", replace: 'retryable: false' },
  // The repetition
  { rule: 'R-024', file: FAILURES, find: ' || isTransient(error)', replace: '' },
  { rule: 'R-024', file: FAILURES, find: ' || isUnreachable(error)', replace: '' },
  { rule: 'R-024', file: LOOP, find: ' || tries < maxAttempts', replace: ' || true' },
  { rule: 'R-024', file: PG, find: 'waitMs: Math.max(1, bounds.msLeft()),', replace: '' },
  {
    rule: 'R-024',
    file: PRISMA,
    find: 'maxWait: Math.max(1, bounds.msLeft()),',
    replace: 'maxWait: 1,',
  },
  { rule: 'R-024', file: TRANSACTION, find: 'Promise.race([work(tx), late])', replace: 'work(tx)' },
  {
    rule: 'R-024',
    file: FAILURES,
    find: "return isLate ? 'RETRY_DEADLINE_EXCEEDED' : 'RETRY_LIMIT_REACHED';",
    replace: "return 'RETRY_LIMIT_REACHED';",
  },
  { rule: 'R-024', file: FAILURES, find: 'LIMITS.has(sqlstateOf(error))', replace: 'false' },
  {
    rule: 'R-024',
    file: RUN,
    find: 'String(Math.max(1, Math.ceil(bounds.msLeft())))',
    replace: "'600000'",
  },
  { rule: 'R-024', file: FAILURES, find: ' || isUnseenRival(error)', replace: '' },
  // The loser
  {
    rule: 'R-025a',
    file: ARRIVAL,
    find: 'if (sqlstateOf(error) !== MOVE_REFUSED) throw error;',
    replace: 'throw error;',
  },
  {
    rule: 'R-025a',
    file: JUDGE,
    find: "throw new NotYetReadable('a rival has not committed yet');",
    replace: "throw new UnknownState('');",
  },
  { rule: 'R-025a', file: JUDGE, find: '|| !isExecutionState(execution.state)', replace: '' },
  { rule: 'R-025a', file: JUDGE, find: 'if (!isClaimingDisposition(disposition))', replace: 'if (false)' },
  { rule: 'R-025a', file: FAILURES, find: 'error instanceof NotYetReadable || ', replace: '' },
  // The lost answer
  { rule: 'R-026', file: LOOP, find: 'unanswered = reached;', replace: 'unanswered = null;' },
  { rule: 'R-026', file: LOOP, find: '      unanswered = null;\n', replace: '' },
  { rule: 'R-026', file: LOOP, find: 'const READINGS = 3;', replace: 'const READINGS = 0;' },
  { rule: 'R-026', file: LOOP, find: 'Math.max(1, msLeft() / 2)', replace: 'Math.max(1, msLeft())' },
  {
    rule: 'R-026',
    file: RUN,
    find: 'arrived && (await isOurs(sql, judged.executionId, arrival))',
    replace: 'arrived',
  },
  { rule: 'R-026', file: RUN, find: 'unanswered !== null && judged.executionId !== null', replace: 'false' },
  { rule: 'R-026', file: FAILURES, find: 'if (isUnanswered)', replace: 'if (false)' },
  { rule: 'R-026', file: PG, find: 'commitMs: bounds.commitMs,', replace: '' },
  {
    rule: 'R-026',
    file: PRISMA,
    find: "current() === 'committing' && !isRefusedCommit(error)",
    replace: 'false',
  },
  { rule: 'R-026', file: PRISMA, find: 'alarm.set(bounds.commitMs());', replace: '' },
];
