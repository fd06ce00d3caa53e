// Every command of the desk with an input that is good, made by the ledger's own verbs: for what holds for all of them.
import { randomUUID } from 'node:crypto';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { addManualEvidence } from '@/lib/review/add-manual-evidence';
import { allowAttempts } from '@/lib/review/allow-attempts';
import { assignException } from '@/lib/review/assign-exception';
import { breakGlass } from '@/lib/review/break-glass/break-glass';
import { reviewBreakGlass } from '@/lib/review/break-glass/review-break-glass';
import { commentException } from '@/lib/review/comment-exception';
import { confirmKnownResult } from '@/lib/review/confirm-known-result';
import { confirmNotApplied } from '@/lib/review/confirm-not-applied';
import { decideRequest } from '@/lib/review/decide-request';
import { declareUnknown } from '@/lib/review/declare-unknown';
import { deferException } from '@/lib/review/defer-exception';
import type { LookingContext } from '@/lib/review/desk-context';
import { extend } from '@/lib/review/extend';
import { failFinally } from '@/lib/review/fail-finally';
import { keepOriginal } from '@/lib/review/keep-original';
import { linkResult } from '@/lib/review/link-result';
import { openInput } from '@/lib/review/open-input';
import { recordKeyRule } from '@/lib/review/record-key-rule';
import { requestEffectSettlement } from '@/lib/review/request-effect-settlement';
import { requestReissue } from '@/lib/review/request-reissue';
import { resumeOperation } from '@/lib/review/resume-operation';
import { linkTicket } from '@/lib/review/together/link-ticket';
import { withdrawRequest } from '@/lib/review/withdraw-request';
import { RATIONALE, type DeskFixture } from './desk-fixture';
import { deskOccasions } from './desk-occasions';
import { doubtFixture } from './doubt-fixture';
import type { Json } from './ledger-fixture';

interface Prepared {
  command: (ctx: LookingContext, input: unknown) => Promise<CommandAnswer>;
  input: Json & { operationId: string };
  /** Who may. */
  by: LookingContext;
  /** What makes the form one of an earlier state; absent where the act depends on none. */
  outdated?: Json;
}

/** An act of the desk: the event under which it is kept, and a fresh occasion for it. */
/** All of them, in the order in which they are made: known before there is a desk, so that each can be a test of its own. */
export const DESK_COMMAND_NAMES = [
  'link-result',
  'confirm-not-applied',
  'confirm-known-result',
  'fail-finally',
  'keep-original',
  'extend',
  'declare-unknown',
  'allow-attempts',
  'record-key-rule',
  'record-key-rule, unprotected',
  'resume-operation',
  'request-reissue',
  'request-effect-settlement',
  'decide-request',
  'withdraw-request',
  'break-glass',
  'review-break-glass',
  'assign-exception',
  'comment-exception',
  'defer-exception',
  'link-ticket',
  'add-manual-evidence',
  'open-input',
] as const;

export interface DeskCommand {
  event: string;
  prepare: () => Promise<Prepared>;
}

/** By file name. `operator` asks and decides, `approver` is the second person. */
export async function deskCommands(
  desk: DeskFixture,
  operator: LookingContext,
  approver: LookingContext,
): Promise<Record<string, DeskCommand>> {
  const { db } = desk;
  const doubts = doubtFixture(desk, operator);
  const { formOf, stuck, conflict, expired, keyless, mismatch } = await deskOccasions(desk, operator);

  const decision = (
    command: Prepared['command'],
    input: Prepared['input'],
    by: LookingContext = operator,
  ): Prepared => ({ command, input, by, outdated: { exceptionVersion: '999' } });

  /** Of somebody who has broken no other glass, on a request of their own. */
  async function emergency() {
    const alone = await desk.desk({ authorities: ['money', 'break-glass'] });
    const { requestId, digest } = await doubts.requested(alone);
    const input: Prepared['input'] = { requestId, digest, reason: RATIONALE, operationId: randomUUID() };
    return { use: { command: breakGlass, input, by: alone, outdated: { digest: '0'.repeat(64) } } };
  }

  const act = async (): Promise<
    Json & { exceptionId: string; exceptionVersion: string; operationId: string }
  > => {
    const { exceptionId } = await desk.unknownPayment();
    const { form } = await desk.seen(operator, exceptionId);
    const { rationale: _rationale, executionVersion: _version, ...rest } = form;
    return rest;
  };

  return {
    'link-result': {
      event: 'decision.result_linked',
      prepare: async () => decision(linkResult, (await doubts.paid()).form as never),
    },
    'confirm-not-applied': {
      event: 'decision.confirm_not_applied_requested',
      prepare: async () => decision(confirmNotApplied, (await doubts.unpaid()).form as never),
    },
    'confirm-known-result': {
      event: 'decision.result_linked',
      prepare: async () => decision(confirmKnownResult, (await expired()) as never),
    },
    'fail-finally': {
      event: 'decision.failed_finally',
      prepare: async () => {
        const { evidenceId: _evidence, lookAgain: _again, ...form } = (await doubts.unpaid()).form;
        return decision(failFinally, form as never);
      },
    },
    'keep-original': {
      event: 'decision.original_kept',
      prepare: async () =>
        decision(keepOriginal, (await formOf('execution_id = $1', [await conflict()])) as never),
    },
    extend: {
      event: 'decision.extended',
      prepare: async () => decision(extend, { ...(await stuck()), seconds: 600 }),
    },
    'declare-unknown': {
      event: 'decision.declared_unknown',
      prepare: async () => decision(declareUnknown, (await stuck()) as never),
    },
    'allow-attempts': {
      event: 'decision.attempts_allowed',
      prepare: async () => {
        const { execution } = await desk.ledger.register(randomUUID(), { operation: 'quick' });
        await db.advanceClock('10 seconds');
        await desk.ledger.sweep();
        const form = await formOf(`execution_id = $1 and kind = 'UNCLAIMED'`, [execution!.executionId]);
        return decision(allowAttempts, { ...form, attempts: 2 });
      },
    },
    'record-key-rule': {
      event: 'decision.key_rule_recorded',
      prepare: async () => decision(recordKeyRule, { ...(await keyless()), acceptUnprotected: false }),
    },
    'record-key-rule, unprotected': {
      event: 'decision.accepted_unprotected',
      prepare: async () => decision(recordKeyRule, { ...(await keyless()), acceptUnprotected: true }),
    },
    'resume-operation': {
      event: 'operation.resumed',
      prepare: async () => {
        const operation = `pausing-${randomUUID()}`;
        await desk.ledger.policy(operation, { conflict_tolerance: 1 });
        await conflict(operation);
        await conflict(operation);
        return decision(
          resumeOperation,
          (await formOf(`kind = 'OPERATION_PAUSED'`, [], approver)) as never,
          approver,
        );
      },
    },
    'request-reissue': {
      event: 'reissue.requested',
      prepare: async () => {
        const { form } = await doubts.unpaid();
        const wish = { relation: 'RETRY_AS_NEW', originalFate: 'never happened', intakeId: null };
        return decision(requestReissue, { ...form, ...wish });
      },
    },
    'request-effect-settlement': {
      event: 'decision.effect_settle_requested',
      prepare: async () => {
        const effect = {
          outcome: 'NOT_OURS',
          resultId: null,
          resultUrl: null,
          businessImpact: 'none at all',
        };
        return decision(requestEffectSettlement, {
          ...(await mismatch()),
          ...effect,
          otherFate: 'KEPT',
          compensationId: null,
        });
      },
    },
    'decide-request': {
      event: 'reissue.approved',
      prepare: async () => {
        const { verdict } = await doubts.requested();
        return {
          command: decideRequest,
          input: verdict(),
          by: approver,
          outdated: { digest: '0'.repeat(64) },
        };
      },
    },
    'withdraw-request': {
      event: 'reissue.withdrawn',
      prepare: async () => {
        const { requestId } = await doubts.requested();
        return { command: withdrawRequest, input: { requestId, operationId: randomUUID() }, by: operator };
      },
    },
    'break-glass': {
      event: 'break_glass.used',
      prepare: async () => (await emergency()).use,
    },
    'review-break-glass': {
      event: 'break_glass.reviewed',
      prepare: async () => {
        const { use } = await emergency();
        await breakGlass(use.by, use.input);
        const { requestId } = use.input;
        const finding = { finding: 'JUSTIFIED', rationale: RATIONALE, operationId: randomUUID() };
        return { command: reviewBreakGlass, input: { requestId, ...finding }, by: approver };
      },
    },
    'assign-exception': {
      event: 'exception.assigned',
      prepare: async () =>
        decision(assignException, { ...(await act()), assigneeId: operator.actor.personId }),
    },
    'comment-exception': {
      event: 'exception.commented',
      prepare: async () => decision(commentException, { ...(await act()), text: 'Called the shop.' }),
    },
    'defer-exception': {
      event: 'exception.deferred',
      prepare: async () => {
        const { rows } = await db
          .pool('app')
          .query<{ until: Date }>(`select ledger.clock() + interval '1 hour' as until`);
        const later = { until: rows[0]!.until.toISOString(), place: 'settlement report', reason: '' };
        return decision(deferException, { ...(await act()), ...later });
      },
    },
    'link-ticket': {
      event: 'exception.ticket_linked',
      prepare: async () =>
        decision(linkTicket, { ...(await act()), address: 'https://tickets.example.com/T-1', label: 'T-1' }),
    },
    'add-manual-evidence': {
      event: 'evidence.recorded',
      prepare: async () => {
        const { exceptionId } = await desk.unknownPayment();
        const { view, form } = await desk.seen(operator, exceptionId);
        const seen = {
          place: 'Payment console',
          seen: 'No such order.',
          verdict: 'UNCLEAR',
          contentAgrees: false,
        };
        return {
          command: addManualEvidence,
          by: operator,
          outdated: { executionVersion: '999' },
          input: {
            exceptionId,
            operationId: form.operationId,
            executionVersion: form.executionVersion,
            checkedAt: view.execution!.createdAt,
            ...seen,
          },
        };
      },
    },
    'open-input': {
      event: 'input.opened',
      prepare: async () => {
        const { id } = await desk.ledger.started(randomUUID(), { inputRef: 's3://inputs/1' });
        const input = { executionId: id, operationId: randomUUID(), rationale: RATIONALE };
        return { command: openInput, input, by: operator };
      },
    },
  };
}
