// Judges what callers saw of a ledger, without asking it: any history that breaks a promise is told in words. Pure, and
// independent of the product: it knows times, tokens and answers only.
import type { HistoryEvent } from './history-event';
import { orderOf } from './linearize';

export type { HistoryEvent };

const NEW_CLAIMS: readonly unknown[] = ['CLAIMED', 'RETRY_SAME_KEY'];

const isAnswered = (event: HistoryEvent) => event.returnedAt !== null;
const tokenOf = (event: HistoryEvent) => (event.token === undefined ? undefined : Number(event.token));
const accepted = (event: HistoryEvent) => isAnswered(event) && (event.code ?? null) === null;
/** Handed the work out with a new token. */
const isNewClaim = (event: HistoryEvent) =>
  event.call === 'claim' && accepted(event) && NEW_CLAIMS.includes(event.disposition);
/** Handed the work out, or did it once more to the same attempt. */
const isOwner = (event: HistoryEvent) =>
  isNewClaim(event) || (event.call === 'claim' && accepted(event) && event.disposition === 'SAME_ATTEMPT');
const isAcceptedReport = (event: HistoryEvent) =>
  event.call !== 'claim' && event.call !== 'decision' && accepted(event);
const before = (one: HistoryEvent, other: HistoryEvent) =>
  one.returnedAt !== null && one.returnedAt < other.invokedAt;

/** The final state that an answer shows, if any. */
function shownEnd(event: HistoryEvent): 'SUCCEEDED' | 'FAILED_FINAL' | null {
  if (!isAnswered(event) || event.call === 'decision') return null;
  if (event.call !== 'claim') {
    const state = accepted(event) ? event.state : undefined;
    return state === 'SUCCEEDED' || state === 'FAILED_FINAL' ? state : null;
  }
  if (event.code === 'EXECUTION_FAILED_FINAL' || event.state === 'FAILED_FINAL') return 'FAILED_FINAL';
  return event.disposition === 'RESULT_REUSED' || event.state === 'SUCCEEDED' ? 'SUCCEEDED' : null;
}

/** How an event is told in a violation. */
function told(event: HistoryEvent): string {
  const parts = [
    event.token === undefined ? '' : `token ${event.token}`,
    event.resultId == null ? '' : `result ${event.resultId}`,
    event.code ?? event.disposition ?? event.state ?? (isAnswered(event) ? 'accepted' : 'no answer'),
  ].filter((part) => part !== '');
  return `${event.process} ${event.call} [${event.invokedAt}, ${event.returnedAt ?? '…'}] ${parts.join(' ')}`;
}

type Rule = (events: readonly HistoryEvent[]) => string[];

/** Every pair in which the first had returned before the second was invoked. */
function* inOrder(
  firsts: readonly HistoryEvent[],
  seconds: readonly HistoryEvent[],
): Generator<[HistoryEvent, HistoryEvent]> {
  for (const one of firsts) for (const other of seconds) if (before(one, other)) yield [one, other];
}

const oneOwnerPerToken: Rule = (events) => {
  const owners = events.filter(isOwner);
  return owners.flatMap((event, index) =>
    owners
      .slice(index + 1)
      .filter((other) => tokenOf(other) === tokenOf(event))
      .filter((other) => other.process !== event.process || (isNewClaim(event) && isNewClaim(other)))
      .map((other) => `two owners of one token: ${told(event)} and ${told(other)}`),
  );
};

const tokensOnlyGrow: Rule = (events) => {
  const shown = events.filter((event) => isOwner(event) || isAcceptedReport(event));
  const fenced = events.filter((event) => event.code === 'FENCED' && event.token !== undefined);
  return [
    ...[...inOrder(shown, shown)]
      .filter(([one, other]) => tokenOf(other)! < tokenOf(one)!)
      .map(([one, other]) => `a token that had been taken away was used: ${told(other)} after ${told(one)}`),
    ...[...inOrder(shown, shown.filter(isNewClaim))]
      .filter(([one, other]) => isAcceptedReport(one) && tokenOf(other) === tokenOf(one))
      .map(([one, other]) => `a token was used before it was given: ${told(one)} before ${told(other)}`),
    ...[...inOrder(fenced, shown)]
      .filter(([one, other]) => tokenOf(other) === tokenOf(one))
      .map(([one, other]) => `a fenced token was accepted again: ${told(other)} after ${told(one)}`),
  ];
};

/** An announced effect is never handed to the next owner as if it had not begun. */
const startedEffectsAreKept: Rule = (events) => {
  const starts = events.filter((event) => event.call === 'effect_started' && accepted(event));
  return events
    .filter((event) => isNewClaim(event) && event.disposition === 'CLAIMED')
    .flatMap((claim) =>
      starts
        .filter((start) => tokenOf(start) === tokenOf(claim)! - 1)
        .map((start) => `a started effect was taken over: ${told(claim)} beside ${told(start)}`),
    );
};

const acknowledgedEndsStay: Rule = (events) => {
  const decisions = events.filter((event) => event.call === 'decision');
  const ends = events.filter((event) => shownEnd(event) !== null);
  const unknown = events.filter((event) => isAcceptedReport(event) && event.state === 'UNKNOWN');
  const atWork = events.filter((event) => isOwner(event) || event.code === 'REQUEST_IN_PROGRESS');
  const decided = (one: HistoryEvent, other: HistoryEvent) =>
    decisions.some((decision) => !before(decision, one) && !before(other, decision));
  return [
    ...[...inOrder(ends, atWork)].map(
      ([one, other]) => `an acknowledged end was lost: ${told(other)} after ${told(one)}`,
    ),
    ...[...inOrder(unknown, atWork)]
      .filter(([one, other]) => !decided(one, other))
      .map(([one, other]) => `an acknowledged doubt was lost: ${told(other)} after ${told(one)}`),
  ];
};

const endsNeverChange: Rule = (events) => {
  const ends = events.filter((event) => shownEnd(event) !== null);
  const settled = events.some((event) => event.call === 'decision');
  return ends.flatMap((event, index) =>
    ends.slice(index + 1).flatMap((other) => {
      const pair = `${told(event)} and ${told(other)}`;
      if (shownEnd(event) !== shownEnd(other)) return settled ? [] : [`two ends of one record: ${pair}`];
      const differ = event.resultId != null && other.resultId != null && event.resultId !== other.resultId;
      return differ ? [`two results of one record: ${pair}`] : [];
    }),
  );
};

/** A result that is shown was reported, or linked by a person, by somebody who had begun to before. */
const resultsComeFromReports: Rule = (events) => {
  const sources = events.filter((event) => event.call === 'complete' || event.call === 'decision');
  return events
    .filter((event) => event.call === 'claim' && shownEnd(event) === 'SUCCEEDED' && event.resultId != null)
    .filter(
      (event) =>
        !sources.some(
          (source) => source.resultId === event.resultId && source.invokedAt <= event.returnedAt!,
        ),
    )
    .map((event) => `a result that nobody had reported: ${told(event)}`);
};

/** One order of all calls explains all answers. What people did is not modelled, so their scopes are left to the rules. */
const oneOrderExplainsAll: Rule = (events) => {
  if (events.some((event) => event.call === 'decision')) return [];
  const order = orderOf(events);
  if (order === 'POSSIBLE') return [];
  const calls = `:\n  ${inTime(events).map(told).join('\n  ')}`;
  return order === 'TOO_MANY'
    ? [`the order of ${events.length} calls could not be judged${calls}`]
    : [`no order of the calls explains their answers${calls}`];
};

const inTime = (events: readonly HistoryEvent[]) =>
  [...events].sort((one, other) => one.invokedAt - other.invokedAt);

const RULES: readonly Rule[] = [
  oneOwnerPerToken,
  tokensOnlyGrow,
  startedEffectsAreKept,
  acknowledgedEndsStay,
  endsNeverChange,
  resultsComeFromReports,
];

/**
 * @param events of any number of scopes, in any order
 * @returns what is broken, one sentence each with the scope in front; empty when the history is possible
 */
export function checkHistory(events: readonly HistoryEvent[]): string[] {
  return checkScopes(events, [...RULES, oneOrderExplainsAll]);
}

/** The same without the search for one order of all calls, which takes its time: for a verdict in between. */
export function checkAnswers(events: readonly HistoryEvent[]): string[] {
  return checkScopes(events, RULES);
}

function checkScopes(events: readonly HistoryEvent[], rules: readonly Rule[]): string[] {
  const scopes = new Map<string, HistoryEvent[]>();
  for (const event of events) scopes.set(event.scope, [...(scopes.get(event.scope) ?? []), event]);
  return [...scopes].flatMap(([scope, own]) =>
    rules.flatMap((rule) => rule(own)).map((violation) => `${scope}: ${violation}`),
  );
}
