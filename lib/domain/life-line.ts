import { isTooEarly } from './decision-evidence';
import { attemptOutcome, type AttemptOutcome } from './exception-attempts';
import type { ExceptionKind } from './exception-kinds';
import type { TimelineFacts } from './exception-timeline';
import type { AttemptView } from './exception-view';
import type { IntakeDisposition } from './dispositions';
import { placeInRows, type LaneGroup, type LaneItem } from './lane-rows';
import type { Verdict } from './lookup-verdict';
import type { ExecutionState } from './states';
import { timeAxis, type Silence } from './time-axis';

/** What there is to draw on each lane. The words of a sort are its lane's. */
export interface LifeSorts {
  ARRIVALS: IntakeDisposition;
  ATTEMPTS: AttemptOutcome;
  /** Believed to be at work; then nobody has to believe it. */
  LEASE: 'BELIEVED' | 'PAST';
  /** From the announcement on the effect may exist, until somebody knew. */
  EFFECT: 'MAY_EXIST' | 'MAY_HAVE_EXISTED' | 'RESULT' | 'RESULT_LINKED' | 'LATE_REPORT';
  LOOKS: Verdict | 'TOO_EARLY';
  EXCEPTIONS: ExceptionKind;
  /** Asked for, answered, done in the ledger, and the exception's end are different things. */
  DECISIONS: 'REQUESTED' | 'APPROVED' | 'CAME_TO_NOTHING' | 'EXECUTED' | 'CONFIRMED';
}

export type LifeLane = keyof LifeSorts;
export const LIFE_LANES = [
  'ARRIVALS',
  'ATTEMPTS',
  'LEASE',
  'EFFECT',
  'LOOKS',
  'EXCEPTIONS',
  'DECISIONS',
] as const satisfies readonly LifeLane[];

export interface LifeItem<Lane extends LifeLane = LifeLane> extends LaneItem {
  readonly lane: Lane;
  readonly sort: LifeSorts[Lane];
  readonly at: string;
  /** The end of what lasts; the same as `at` for a moment. */
  readonly until: string;
  /** Lasts still: its end is only the present. */
  readonly open: boolean;
  readonly attempt: AttemptView | null;
}

export interface LifeFacts extends TimelineFacts {
  readonly execution:
    | (NonNullable<TimelineFacts['execution']> & {
        readonly state: ExecutionState;
        readonly stateSince: string;
      })
    | null;
  readonly exceptions: readonly {
    readonly exceptionId: string;
    readonly kind: ExceptionKind;
    readonly openedAt: string;
    readonly closedAt: string | null;
  }[];
}

export interface LifeLine {
  readonly lanes: readonly { readonly lane: LifeLane; readonly groups: readonly LaneGroup<LifeItem>[] }[];
  readonly silences: readonly Silence[];
  readonly ticks: readonly { readonly x: number; readonly instant: number }[];
  readonly now: number;
  /** The least width at which nothing covers anything, in pixels. */
  readonly width: number;
}

type Drawn = Omit<LifeItem, 'from' | 'to'>;

/** Pixels. A mark with its count; the words on a bar; a clock time under the axis; a unit of the axis' room. */
const MARK = 36;
const WORDS = 132;
const CLOCK = 74;
const UNIT = 12;
const NARROWEST = 520;
const WIDEST = 1_800;
/** Rows of attempts that may carry words; with more, each stands with its number alone. */
const ROWS_WITH_WORDS = 3;

/** The life of an execution on one time axis. Moments of one transaction may lie on one place, in their order. */
export function lifeLine(facts: LifeFacts): LifeLine {
  const drawn = [...arrivals(facts), ...attempts(facts), ...lease(facts), ...effects(facts)]
    .concat(looks(facts), exceptions(facts), decisions(facts))
    .map((item) => ({ ...item, begin: Date.parse(item.at), end: Date.parse(item.until) }))
    .sort((a, b) => a.begin - b.begin || compare(a.at, b.at) || compare(a.id, b.id));
  const now = Date.parse(facts.now);
  const axis = timeAxis([now, ...drawn.flatMap(({ begin, end }) => [begin, end])]);
  const width = Math.round(Math.min(WIDEST, Math.max(NARROWEST, axis.room * UNIT)));
  const items = drawn.map(({ begin, end, ...item }): LifeItem => {
    const from = axis.placeOf(begin);
    return { ...item, from, to: Math.max(from, axis.placeOf(end)) };
  });
  return {
    lanes: LIFE_LANES.map((lane) => ({
      lane,
      groups: placed(
        lane,
        items.filter((item) => item.lane === lane),
        width,
      ),
    })),
    silences: axis.silences,
    ticks: apart(axis.begins, CLOCK / width),
    now: axis.placeOf(now),
    width,
  };
}

function placed(lane: LifeLane, items: readonly LifeItem[], width: number): readonly LaneGroup<LifeItem>[] {
  if (lane === 'LEASE') return placeInRows(items, 0);
  if (lane !== 'ATTEMPTS' && lane !== 'EXCEPTIONS') return placeInRows(items, MARK / width);
  const wide = placeInRows(items, WORDS / width);
  const legible =
    wide.every((group) => group.items.length === 1) && wide.every(({ row }) => row < ROWS_WITH_WORDS);
  return legible ? wide : placeInRows(items, MARK / width);
}

/** The first, and each further one that does not stand on the one before. */
function apart<Tick extends { readonly x: number }>(ticks: readonly Tick[], room: number): readonly Tick[] {
  return ticks.reduce<Tick[]>((kept, tick) => {
    const last = kept.at(-1);
    return last === undefined || tick.x - last.x >= room ? [...kept, tick] : kept;
  }, []);
}

const moment = <Lane extends LifeLane>(lane: Lane, id: string, at: string, sort: LifeSorts[Lane]): Drawn => ({
  ...{ lane, id, at, until: at, sort, open: false, attempt: null },
});

const arrivals = ({ arrivals: { shown } }: LifeFacts) =>
  shown.map((each) => moment('ARRIVALS', each.intakeId, each.receivedAt, each.disposition));

const attempts = ({ attempts: tried, now }: LifeFacts) =>
  tried.map((attempt): Drawn => ({
    ...moment('ATTEMPTS', `start-${attempt.attempt}`, attempt.startedAt, attemptOutcome(attempt.outcome)),
    until: latest(attempt.startedAt, attempt.endedAt ?? now),
    open: attempt.endedAt === null,
    attempt,
  }));

/** Of the present attempt alone: the ledger keeps no earlier lease. */
function lease({ execution, attempts: tried, now }: LifeFacts): Drawn[] {
  const attempt = tried.at(-1);
  const over = execution?.leaseExpiresAt ?? null;
  if (attempt === undefined || over === null || over < attempt.startedAt) return [];
  const ended = attempt.endedAt;
  const believed = ended !== null && ended < over ? ended : over;
  const silentUntil = ended ?? now;
  return [
    // One that was over as it began was believed by nobody.
    ...(Date.parse(believed) > Date.parse(attempt.startedAt)
      ? [{ ...moment('LEASE', 'believed', attempt.startedAt, 'BELIEVED'), until: believed, attempt }]
      : []),
    ...(silentUntil > over
      ? [{ ...moment('LEASE', 'lease', over, 'PAST'), until: silentUntil, open: ended === null, attempt }]
      : []),
  ];
}

const EFFECT_KNOWN: readonly AttemptOutcome[] = ['SUCCEEDED', 'FAILED_FINAL', 'FAILED_RETRYABLE'];
const IN_DOUBT: readonly ExecutionState[] = ['PROCESSING', 'UNKNOWN'];
const LINKS: readonly string[] = ['LINK_RESULT', 'CONFIRM_KNOWN_RESULT'];
const SETTLES: readonly string[] = [...LINKS, 'CONFIRM_NOT_APPLIED', 'FINAL_FAILURE', 'SETTLE_EFFECT'];

function effects(facts: LifeFacts): Drawn[] {
  return [
    ...facts.attempts.flatMap((attempt): Drawn[] => {
      const began = attempt.effectStartedAt;
      if (began === null) return [];
      const known = knownAt(attempt, began, facts);
      const sort = known === null ? 'MAY_EXIST' : 'MAY_HAVE_EXISTED';
      return [
        {
          ...moment('EFFECT', `effect-${attempt.attempt}`, began, sort),
          ...{ until: latest(began, known ?? facts.now), open: known === null, attempt },
        },
      ];
    }),
    ...facts.attempts.flatMap((attempt): Drawn[] =>
      attempt.outcome === 'SUCCEEDED' && attempt.endedAt !== null
        ? [{ ...moment('EFFECT', `end-${attempt.attempt}`, attempt.endedAt, 'RESULT'), attempt }]
        : [],
    ),
    ...facts.decisions
      .filter(({ decision }) => LINKS.includes(decision))
      .map((each) => moment('EFFECT', `linked-${each.decisionId}`, each.at, 'RESULT_LINKED')),
    ...facts.lateReports.map((each) => moment('EFFECT', each.reportId, each.receivedAt, 'LATE_REPORT')),
  ];
}

/** When it was known what became of an effect that had been announced; null while nobody knows. */
function knownAt(attempt: AttemptView, began: string, { execution, decisions }: LifeFacts): string | null {
  if (attempt.endedAt !== null && EFFECT_KNOWN.includes(attemptOutcome(attempt.outcome)))
    return attempt.endedAt;
  const settled = decisions.find(({ decision, at }) => at >= began && SETTLES.includes(decision));
  if (settled !== undefined) return settled.at;
  if (execution === null || IN_DOUBT.includes(execution.state)) return null;
  return execution.stateSince;
}

const looks = ({ evidence }: LifeFacts) =>
  evidence.map((each) =>
    moment('LOOKS', each.lookupId, each.checkedAt, isTooEarly(each) ? 'TOO_EARLY' : each.verdict),
  );

const exceptions = ({ exceptions: opened, now }: LifeFacts) =>
  opened.map((each): Drawn => ({
    ...moment('EXCEPTIONS', `open-${each.exceptionId}`, each.openedAt, each.kind),
    until: latest(each.openedAt, each.closedAt ?? now),
    open: each.closedAt === null,
  }));

const CAME_TO_NOTHING: readonly string[] = ['REJECTED', 'WITHDRAWN', 'EXPIRED', 'VOID'];

function decisions({ requests, decisions: decided, exceptions: opened }: LifeFacts): Drawn[] {
  return [
    ...requests.map((each) => moment('DECISIONS', `asked-${each.requestId}`, each.requestedAt, 'REQUESTED')),
    ...requests.flatMap(({ requestId, state, stateSince }) => {
      if (state === 'APPROVED') return [moment('DECISIONS', `answered-${requestId}`, stateSince, 'APPROVED')];
      return CAME_TO_NOTHING.includes(state)
        ? [moment('DECISIONS', `answered-${requestId}`, stateSince, 'CAME_TO_NOTHING')]
        : [];
    }),
    ...decided.map((each) => moment('DECISIONS', each.decisionId, each.at, 'EXECUTED')),
    ...opened.flatMap(({ exceptionId, closedAt }) =>
      closedAt === null ? [] : [moment('DECISIONS', `closed-${exceptionId}`, closedAt, 'CONFIRMED')],
    ),
  ];
}

const latest = (a: string, b: string) => (Date.parse(b) > Date.parse(a) ? b : a);
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
