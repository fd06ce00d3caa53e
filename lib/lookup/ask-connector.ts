import { connectorSchema, secretsOf, type Connector } from '@/lib/domain/connector';
import {
  buildHttpQuestion,
  buildSqlQuestion,
  doubtAboutTarget,
  type Question,
} from '@/lib/domain/connector-question';
import { negativeProofHorizon, type Horizon } from '@/lib/domain/evidence';
import { emptyFinding, type LookupErrorClass, type LookupFinding } from '@/lib/domain/lookup-finding';
import { judgeFinding, type Verdict } from '@/lib/domain/lookup-verdict';
import { askHttp, type Asked, type NextTurn } from './ask-http';
import { askPostgres } from './ask-postgres';
import type { Resolve } from './checked-address';
import { ConnectorPlaces } from './connector-places';
import type { ConfiguredConnector, LookupSubject } from './lookup-subject';
import { databaseAddress, fillSecrets, type SecretSource } from './secrets';

/** What a process needs to ask outside systems; `asking()` reads it from the environment. */
export interface Asking {
  secrets: SecretSource;
  /** Ports on this machine that connectors may ask, by the deployment's own entry. */
  loopbackPorts: ReadonlySet<string>;
  /** Restricted log: why a system could not be reached. Never shown to people (SS-09). */
  note: (event: { connectorId: string; failure: string; detail: string }) => void;
  /** Of the automatic lookups in this process. */
  places: ConnectorPlaces;
  resolve?: Resolve;
}

/** `ALLOWED_LOOPBACK_PORTS` is a list such as `4010,4011`; empty by default. */
export function loopbackPortsOf(environment: SecretSource): ReadonlySet<string> {
  const ports = (environment['ALLOWED_LOOPBACK_PORTS'] ?? '').split(',').map((port) => port.trim());
  return new Set(ports.filter((port) => /^\d{1,5}$/.test(port)));
}

export function asking(environment: SecretSource, note: Asking['note']): Asking {
  return {
    secrets: environment,
    loopbackPorts: loopbackPortsOf(environment),
    note,
    places: new ConnectorPlaces(),
  };
}

/** One question, asked and judged; not kept yet. */
export interface AskedLookup {
  subject: LookupSubject;
  connectorId: string;
  connectorVersion: number;
  /** Null when the recipe does not parse; then nothing was asked. */
  connector: Connector | null;
  /** Null when nothing was sent. */
  question: Question | null;
  finding: LookupFinding;
  verdict: Verdict;
  horizon: Horizon;
  /** Milliseconds, in steps for failures, so that they do not tell an open port from a closed one. */
  durationMs: number | null;
  /** Seconds that the system asked us to stay away. */
  retryAfterSeconds: number | null;
}

/**
 * Asks the outside system about one execution and judges the answer. Read-only; never inside a
 * transaction. Never throws for anything that the recipe, the execution or the other side may hold.
 */
export async function askConnector(
  subject: LookupSubject,
  configured: ConfiguredConnector,
  how: Asking,
  turn?: NextTurn,
): Promise<AskedLookup> {
  const parsed = connectorSchema.safeParse(configured.recipe);
  if (!parsed.success) return judged(subject, configured, null, 'CONNECTOR_INVALID');
  const connector = parsed.data;
  const sent = await send(connector, subject, configured, how, turn);
  if (!('asked' in sent)) return judged(subject, configured, connector, sent.fault);
  const { asked, question } = sent;
  if (asked.failure !== null) how.note({ connectorId: configured.connectorId, ...asked.failure });
  return {
    ...withFinding(subject, configured, connector, asked.finding),
    question,
    durationMs:
      asked.failure === null ? Math.round(asked.tookMs) : inSteps(asked.tookMs, connector.timeoutMs),
    retryAfterSeconds: asked.retryAfterSeconds,
  };
}

/** Milliseconds between two pages; a slower system's list is one page here. */
const LONGEST_PACE_MS = 2_500;

type Sent = { fault: LookupErrorClass } | { asked: Asked; question: Question };

async function send(
  connector: Connector,
  subject: LookupSubject,
  { connectorId, allowPrivate }: ConfiguredConnector,
  how: Asking,
  turn: NextTurn | undefined,
): Promise<Sent> {
  const missing = (secret: string): Sent => {
    how.note({ connectorId, failure: 'SECRET_MISSING', detail: secret });
    return { fault: 'SECRET_MISSING' };
  };
  const common = { proof: subject.proof, subject: subject.question, resolve: how.resolve };
  const mayAsk = (port: string) => allowPrivate || how.loopbackPorts.has(port);
  if (connector.kind === 'http') {
    const built = buildHttpQuestion(connector, subject.question);
    if (!built.ok) return built;
    const { question } = built;
    const filled = fillSecrets(question.headers, how.secrets);
    if (!filled.ok) return missing(filled.missing);
    const allowLoopback = mayAsk(new URL(question.url).port);
    // Without a turn that all processes share, at least this one keeps the rate.
    const paceMs = 1_000 / connector.ratePerSecond;
    const pace = turn ?? (() => Promise.resolve(paceMs > LONGEST_PACE_MS ? null : paceMs));
    const asking = { ...common, connector, question, headers: filled.headers, allowLoopback, turn: pace };
    return { asked: await askHttp(asking), question };
  }
  const built = buildSqlQuestion(connector, subject.question);
  if (!built.ok) return built;
  const { question } = built;
  const address = databaseAddress(connector.connection, how.secrets);
  if (address === null) return missing(secretsOf(connector).join());
  const allowLoopback = mayAsk(String(address.port));
  return { asked: await askPostgres({ ...common, connector, question, address, allowLoopback }), question };
}

function judged(
  subject: LookupSubject,
  configured: ConfiguredConnector,
  connector: Connector | null,
  errorClass: LookupErrorClass,
): AskedLookup {
  const isSilence = errorClass === 'UNREACHABLE' || errorClass === 'SECRET_MISSING';
  return withFinding(
    subject,
    configured,
    connector,
    emptyFinding(isSilence ? 'INACCESSIBLE' : 'INCONCLUSIVE', errorClass),
  );
}

function withFinding(
  subject: LookupSubject,
  configured: ConfiguredConnector,
  connector: Connector | null,
  found: LookupFinding,
): AskedLookup {
  const horizon = negativeProofHorizon({
    ...subject.horizon,
    visibilityDelaySeconds: connector?.visibilityDelaySeconds ?? 0,
    queryableSeconds: connector?.queryableSeconds ?? null,
  });
  const doubt =
    connector === null || found.outcome !== 'NOT_FOUND'
      ? null
      : doubtAboutNothing(subject, connector, horizon);
  const finding = doubt === null ? found : emptyFinding('INCONCLUSIVE', doubt);
  return {
    subject,
    connectorId: configured.connectorId,
    connectorVersion: configured.version,
    connector,
    question: null,
    finding,
    verdict: judgeFinding(subject.proof, finding),
    horizon,
    durationMs: null,
    retryAfterSeconds: null,
  };
}

/** Why an empty answer is no answer: asked in the wrong place, or after the system may have forgotten. */
function doubtAboutNothing(
  subject: LookupSubject,
  connector: Connector,
  horizon: Horizon,
): LookupErrorClass | null {
  const doubt = doubtAboutTarget(connector, subject.question);
  if (doubt !== null) return doubt;
  const forgotten = horizon.usableUntil !== null && subject.askedAt > horizon.usableUntil;
  return forgotten ? 'NO_LONGER_QUERYABLE' : null;
}

const FAILURE_STEPS_MS = [250, 1_000, 2_500];

function inSteps(tookMs: number, limitMs: number): number {
  return Math.min(limitMs, FAILURE_STEPS_MS.find((step) => tookMs <= step) ?? limitMs);
}
