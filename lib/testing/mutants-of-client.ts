// Ways of breaking the client of the producer API.
import type { Mutant } from './mutant';

const RETRY = 'lib/ledger/client/retry.ts';
const ONCE = 'lib/ledger/client/once.ts';
const SENDS = 'lib/ledger/client/effect-fetch.ts';
const INTENT = 'lib/ledger/client/intent.ts';
const EXCHANGE = 'lib/ledger/client/exchange.ts';
const FORMS = 'lib/ledger/client/answer-forms.ts';
const READ = 'lib/ledger/client/read-answer.ts';
const KEEPER = 'lib/ledger/client/lease-keeper.ts';
const RESULT = 'lib/ledger/client/read-result.ts';
const OUTCOME = 'lib/ledger/client/report-outcome.ts';

export const MUTANTS_OF_CLIENT: readonly Mutant[] = [
  {
    rule: 'R-021',
    file: 'lib/ledger/client/create-client.ts',
    find: 'owner: fields.owner ?? owner, attemptId }',
    replace: 'owner: fields.owner ?? owner, attemptId: newAttemptId() }',
  },
  { rule: 'R-013b', file: EXCHANGE, find: "redirect: 'manual',", replace: "redirect: 'error'," },
  {
    rule: 'R-038',
    file: RETRY,
    find: "kind: 'stop', reason: 'REDIRECTED'",
    replace: "kind: 'again', reason: 'REDIRECTED'",
  },
  { rule: 'R-034', file: RETRY, find: '[429, 502,', replace: '[502,' },
  {
    rule: 'R-034b',
    file: RETRY,
    find: '&& askedSeconds * 1000 >= left()',
    replace: '&& tooLong',
  },
  { rule: 'R-038', file: READ, find: '|| !isForm(value)', replace: '' },
  { rule: 'R-038', file: READ, find: 'status === 201 && isClaimedBody(body)', replace: 'status === 201' },
  {
    rule: 'R-038',
    file: READ,
    find: 'if (!isResultReused(body)) return strange(status, findUrl);',
    replace: '',
  },
  {
    rule: 'R-038',
    file: FORMS,
    find: '(fencingToken === undefined || value.fencingToken === fencingToken)',
    replace: 'true',
  },
  {
    rule: 'R-038',
    file: FORMS,
    find: 'value.executionId.toLowerCase() === executionId.toLowerCase()',
    replace: 'true',
  },
  { rule: 'R-038', file: FORMS, find: "state: (value) => value === 'PROCESSING',", replace: '' },
  { rule: 'R-038', file: FORMS, find: '  effectStartedAt: instant,\n', replace: '' },
  { rule: 'R-038', file: ONCE, find: 'const isTime = keeper.left > 0 && ', replace: 'const isTime = ' },
  {
    rule: 'R-027a',
    file: ONCE,
    find: 'const kept = await keepLease(client, claim, request, call);',
    replace: 'const kept = { ...claim, startedBefore: false };',
  },
  { rule: 'R-030', file: ONCE, find: 'keeper.longestLeft >= (effectTimeoutMs ?? 0)', replace: 'true' },
  {
    rule: 'R-030',
    file: ONCE,
    find: 'effectTimeoutMs !== undefined && !(effectTimeoutMs > 0)',
    replace: 'false',
  },
  {
    rule: 'R-030',
    file: KEEPER,
    find: 'Math.min(this.endsAtLatest, Math.max(',
    replace: 'Math.min(Infinity, Math.max(',
  },
  {
    rule: 'R-030',
    file: KEEPER,
    find: 'deadline === undefined ? Infinity : at(deadline)',
    replace: 'Infinity',
  },
  { rule: 'R-031', file: ONCE, find: 'end.pending.then(succeeded)', replace: 'end.pending.then(() => null)' },
  { rule: 'R-026', file: RESULT, find: 'if (why !== null) faults.push({ member, why });', replace: '' },
  {
    rule: 'R-026',
    file: RESULT,
    find: 'return why === null ? (value as T) : undefined;',
    replace: 'return value as T;',
  },
  { rule: 'R-026', file: OUTCOME, find: 'persist: true,', replace: '' },
  { rule: 'R-026', file: RETRY, find: "(persist && code === 'INTERNAL_ERROR')", replace: 'false' },
  { rule: 'R-026', file: RETRY, find: '&& isAnswer?.(received.text) !== false', replace: '' },
  { rule: 'R-026', file: OUTCOME, find: 'if (response !== undefined) yield facts;', replace: '' },
  {
    rule: 'R-014a',
    file: RESULT,
    find: "(isBlank(value as string) ? 'shows nothing' : null)",
    replace: 'null',
  },
  { rule: 'R-014a', file: RESULT, find: 'const lostId = faults', replace: 'const lostId = false && faults' },
  {
    rule: 'R-014f',
    file: RESULT,
    find: "isOther(given['target'], claimed)",
    replace: 'false',
  },
  { rule: 'R-014f', file: OUTCOME, find: 'resultId === undefined ? [] :', replace: 'true ? [] :' },
  {
    rule: 'R-036',
    file: RESULT,
    find: 'return unreadable(`cannot be read: ${String(error)}`);',
    replace: 'throw error;',
  },
  { rule: 'R-037', file: OUTCOME, find: 'return UNUSABLE;', replace: 'return String(code);' },
  { rule: 'R-037', file: OUTCOME, find: 'if (why === null) return response;', replace: 'return response;' },
  { rule: 'R-037', file: OUTCOME, find: '|\\p{Surrogate}/gu, ', replace: '/gu, ' },
  { rule: 'R-027', file: ONCE, find: 'keeper.run();', replace: 'stop.abort();' },
  {
    rule: 'R-034',
    file: RETRY,
    find: 'if (wait && WAITABLE.includes(code))',
    replace: 'if (WAITABLE.includes(code))',
  },
  {
    rule: 'R-034',
    file: RETRY,
    find: 'const kind = repeatable && passes',
    replace: 'const kind = passes',
  },
  {
    rule: 'R-034b',
    file: RETRY,
    find: 'const tooLong = waitMs >= left();',
    replace: 'const tooLong = false;',
  },
  {
    rule: 'R-034b',
    file: RETRY,
    find: 'return Math.max(1, (askedSeconds ?? 0) * 1000 + jitterMs);',
    replace: 'return (askedSeconds ?? 0) * 1000;',
  },
  {
    rule: 'R-034b',
    file: RETRY,
    find: 'generator: fullJitterGenerator,',
    replace: 'generator: (n = 0, o) => [Math.min(o.maxDelay, o.initialDelay * 2 ** n), n + 1],',
  },
  {
    rule: 'R-034',
    file: RETRY,
    find: "const kind = repeatable ? 'again' : 'stop';",
    replace: "const kind = 'again';",
  },
  {
    rule: 'R-034b',
    file: READ,
    find: 'executionId === null ? findUrl : statusUrl(executionId)',
    replace: 'null',
  },
  {
    rule: 'R-034b',
    file: EXCHANGE,
    find: 'await Promise.race([receive(fetch, sending, stop.signal), cut]);',
    replace: 'await receive(fetch, sending, stop.signal);',
  },
  { rule: 'R-034b', file: EXCHANGE, find: "signal?.addEventListener('abort', ", replace: 'void (' },
  {
    rule: 'R-034b',
    file: EXCHANGE,
    find: "if (received.kind === 'lost') stop.abort(",
    replace: "if (received.kind === 'lost') void (",
  },
  { rule: 'R-034b', file: EXCHANGE, find: 'if (length > LONGEST_ANSWER) return null;', replace: '' },
  { rule: 'R-034b', file: EXCHANGE, find: 'if (signal?.aborted === true) return aborted;', replace: '' },
  { rule: 'R-034b', file: RETRY, find: "|| received.reason === 'TIMED_OUT'", replace: '|| true' },
  {
    rule: 'R-034b',
    file: 'lib/ledger/client/budgets.ts',
    find: 'deadlineMs: 8_000,',
    replace: 'deadlineMs: 80_000,',
  },
  { rule: 'R-034c', file: SENDS, find: "place.hash = '';", replace: '' },
  { rule: 'R-034c', file: SENDS, find: 'place.searchParams.sort();', replace: '' },
  { rule: 'R-034c', file: SENDS, find: 'if (sent > 0 &&', replace: 'if (sent > 1 &&' },
  { rule: 'R-034c', file: SENDS, find: "typeof body === 'string' ||", replace: 'true ||' },
  { rule: 'R-034c', file: ONCE, find: 'sends.refused ?? end.error', replace: 'end.error' },
  {
    rule: 'R-036',
    file: SENDS,
    find: 'return this.send(input, { ...init, signal });',
    replace: 'return this.send(input, init);',
  },
  {
    rule: 'R-035a',
    file: INTENT,
    find: 'if (onceover !== FORM) throw',
    replace: 'if (onceover === undefined) throw',
  },
  { rule: 'R-035a', file: INTENT, find: 'if (stranger !== undefined) throw', replace: 'if (false) throw' },
  {
    rule: 'R-035b',
    file: ONCE,
    find: 'if (found.value.owner === (request.owner ?? client.owner)) {',
    replace: 'if (found.value.owner !== null) {',
  },
  {
    rule: 'R-035b',
    file: ONCE,
    find: 'const twin = options.attemptId !== undefined && running.has(options.attemptId);',
    replace: 'const twin = false;',
  },
  {
    rule: 'R-030',
    file: KEEPER,
    find: 'if (this.mayExtend) void this.renew();',
    replace: '',
  },
  {
    rule: 'R-029a',
    file: KEEPER,
    find: `if (answer.kind === 'REFUSED' && !this.stopped.signal.aborted) {`,
    replace: 'if (false) {',
  },
  {
    rule: 'R-035',
    file: ONCE,
    find: 'if (found.value.effectStartedAt !== null) return { ...claim, startedBefore: true };',
    replace: '',
  },
  {
    rule: 'R-036',
    file: OUTCOME,
    find: 'if (!(error instanceof FinalRefusal || error instanceof NotSent || error instanceof ProviderTransient)) {',
    replace: 'if (error instanceof EffectInDoubt) {',
  },
  {
    rule: 'R-037',
    file: OUTCOME,
    find: '? ({ fencingToken, retryable: false,',
    replace: '? ({ fencingToken, retryable: true,',
  },
  {
    rule: 'R-010a',
    file: 'lib/ledger/client/once.ts',
    find: `if (claim.kind !== 'CLAIMED') return claim;\n  if (claim.startedBefore)`,
    replace: `if (claim.kind !== 'CLAIMED' && claim.kind !== 'DUPLICATE_HELD') return claim;\n  if ('startedBefore' in claim && claim.startedBefore)`,
  },
];
