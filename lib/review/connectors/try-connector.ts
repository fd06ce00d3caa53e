import 'server-only';
import { z } from 'zod';
import { transaction } from '@/lib/db/transaction';
import { placeOf, secretsOf, type Connector } from '@/lib/domain/connector';
import { buildQuestion, type Question } from '@/lib/domain/connector-question';
import { maskedHeader } from '@/lib/domain/connector-secrets';
import type { TrialAnswer, TrialFinding, TrialRequest } from '@/lib/domain/connector-view';
import type { LookupFinding } from '@/lib/domain/lookup-finding';
import { PROOFS } from '@/lib/domain/lookup-verdict';
import { hasRoleFor } from '@/lib/domain/permissions';
import { isRefusalCode, type RefusalCode } from '@/lib/domain/refusals';
import { safeParse } from '@/lib/domain/safe-parse';
import { askConnector } from '@/lib/lookup/ask-connector';
import { limitsOf, takeSlot } from '@/lib/lookup/connector-slot';
import { getLookupSubject, type LookupSubject } from '@/lib/lookup/lookup-subject';
import type { SecretSource } from '@/lib/lookup/secrets';
import { auditRefusal } from '../audit-refusal';
import { outsideId, storableText } from '../command-input';
import type { LookingContext } from '../desk-context';
import { allowsLoopback } from './allows-loopback';
import { connectorId, tenantId } from './propose-connector';
import { checkRecipe } from './recipe-refusal';
import { secretStanding } from './trial-secrets';
import { executionByReference, sampleSubject, type TriedExecution } from './trial-subject';

const inputSchema = z.strictObject({
  /** Null: a draft of a new one that has no name yet. */
  connectorId: connectorId.nullable(),
  /** Of a new one; null: for every tenant. */
  tenantId: tenantId.nullable(),
  /** As it stands in the form, confirmed or not. */
  recipe: z.unknown(),
  subject: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('execution'), reference: outsideId.min(1) }),
    z.strictObject({
      kind: z.literal('sample'),
      values: z.record(z.string().max(320), storableText.max(1_000)),
      proof: z.enum(PROOFS),
    }),
  ]),
  /** False: only shows what would be sent. */
  asks: z.boolean(),
});
type Input = z.output<typeof inputSchema>;

const EVENT = 'connector.tried';
/** Milliseconds that a person waits for the connector's rate. */
const PATIENCE_MS = 2_000;
/** Of one administrator, whatever is tried. */
const TRIES_PER_SECOND = 1;

/**
 * Tries a connector as it stands in a form: shows the request, and asks if that is wished, by the engine of the real
 * lookups and inside their guard and limits. Nothing of the answer is kept and nothing decided; that it was tried is on record
 * before anything goes out.
 */
export async function tryConnector(ctx: LookingContext, raw: unknown): Promise<TrialAnswer> {
  const parsed = safeParse(inputSchema, raw);
  if (!hasRoleFor(ctx.actor, 'connector.manage')) return refuse(ctx, 'ROLE_MISSING');
  if (!parsed.success) return refuse(ctx, 'INVALID_INPUT');
  const input = parsed.data;
  const saved = await savedConnector(ctx, input.connectorId);
  if (saved === 'foreign') return refuse(ctx, 'NOT_FOUND');
  const privateAddress = saved?.allow_private === true ? saved.base_url : null;
  const checked = checkRecipe(input.recipe, allowsLoopback(privateAddress, ctx.asking));
  if (!checked.ok) return refuse(ctx, checked.code, checked.faults);
  const recipe = checked.recipe;
  const tenant = saved === null ? input.tenantId : saved.tenant_id;
  const standing = await secretStanding(ctx.pool, recipe, tenant, ctx.asking.secrets);
  if (input.asks && standing.withheld.length > 0) return refuse(ctx, 'SECRET_NOT_CONFIRMED');
  const subject = await subjectOf(ctx, input, recipe, tenant);
  if (subject === null) return refuse(ctx, 'NO_EXECUTION');
  if (input.asks && !(await hasTurn(ctx, saved))) return refuse(ctx, 'CONNECTOR_BUSY');
  const refusal = await onRecord(ctx, input, recipe, subject.execution);
  if (refusal !== null) return { outcome: 'refused', code: refusal };
  const built = buildQuestion(recipe, subject.lookup.question);
  const shown = {
    ...{ outcome: 'shown' as const, execution: subject.execution, ...standing },
    request: built.ok ? requestOf(built.question) : null,
    fault: built.ok ? null : built.fault,
  };
  if (!input.asks || !built.ok) return { ...shown, found: null };
  const allowPrivate = recipe.kind === 'http' && recipe.baseUrl === privateAddress;
  return { ...shown, found: await ask(ctx, subject.lookup, recipe, allowPrivate) };
}

interface Saved {
  connector_id: string;
  tenant_id: string | null;
  allow_private: boolean;
  base_url: string;
  recipe: unknown;
}

async function savedConnector(ctx: LookingContext, id: string | null): Promise<Saved | 'foreign' | null> {
  const { rows } = await ctx.pool.query<Saved>(
    `select connector_id, tenant_id, allow_private, recipe->>'baseUrl' as base_url, recipe from review.connectors where connector_id = $1`,
    [id],
  );
  const [saved] = rows;
  if (saved === undefined) return null;
  return saved.tenant_id === null || ctx.actor.tenantIds.includes(saved.tenant_id) ? saved : 'foreign';
}

async function subjectOf(
  ctx: LookingContext,
  { subject }: Input,
  recipe: Connector,
  tenant: string | null,
): Promise<{ execution: TriedExecution | null; lookup: LookupSubject } | null> {
  if (subject.kind === 'sample') {
    const { values, proof } = subject;
    return {
      execution: null,
      lookup: await sampleSubject(ctx.pool, { values, proof, system: recipe.system }),
    };
  }
  const tenants = ctx.actor.tenantIds.filter((each) => tenant === null || each === tenant);
  const execution = await executionByReference(ctx.pool, subject.reference, tenants);
  const lookup = execution && (await getLookupSubject(ctx.pool, execution.executionId));
  return lookup === null ? null : { execution, lookup };
}

/** Rights of this moment and the audit event, in one transaction. */
async function onRecord(
  ctx: LookingContext,
  input: Input,
  recipe: Connector,
  execution: TriedExecution | null,
): Promise<RefusalCode | null> {
  const tried = {
    connectorId: input.connectorId,
    tenantId: input.tenantId,
    executionId: execution?.executionId ?? null,
    asks: input.asks,
    address: placeOf(recipe),
  };
  const answer = await transaction(ctx.pool, ctx.context, async (tx) => {
    const { rows } = await tx.query<{ answer: { outcome: string; code?: string } }>(
      'select review.try_connector($1::jsonb) as answer',
      [JSON.stringify(tried)],
    );
    return rows[0]?.answer;
  });
  if (answer?.outcome === 'done') return null;
  if (!isRefusalCode(answer?.code)) throw new Error(`bug: try_connector answered ${JSON.stringify(answer)}`);
  return answer.code;
}

async function hasTurn(ctx: LookingContext, saved: Saved | null): Promise<boolean> {
  const own = await takeSlot(ctx.pool, `try:${ctx.actor.personId}`, TRIES_PER_SECOND, PATIENCE_MS);
  if (own === null) return false;
  if (saved === null) return true;
  const { ratePerSecond } = limitsOf(saved.recipe);
  return (await takeSlot(ctx.pool, saved.connector_id, ratePerSecond, PATIENCE_MS)) !== null;
}

function requestOf(question: Question): TrialRequest {
  const { method, url } = question;
  if (!('headers' in question)) {
    const { sql, parameters } = question;
    return { method, url, headers: [], statement: { sql, parameters } };
  }
  const headers = Object.entries(question.headers).map(([name, value]) => {
    const { text, secrets } = maskedHeader(value);
    return { name, value: text, secrets };
  });
  return { method, url, headers, statement: null };
}

async function ask(
  ctx: LookingContext,
  subject: LookupSubject,
  recipe: Connector,
  allowPrivate: boolean,
): Promise<TrialFinding> {
  const configured = { connectorId: 'draft', version: 0, recipe, allowPrivate };
  const { finding, verdict, horizon, durationMs } = await askConnector(subject, configured, ctx.asking);
  const shown = withoutSecrets(finding, recipe, ctx.asking.secrets);
  return { finding: shown, verdict, usableFrom: horizon.usableFrom.toISOString(), durationMs };
}

/** A system may repeat what it was sent; a secret is shown in no form of it that stands there as it is. */
function withoutSecrets(finding: LookupFinding, recipe: Connector, source: SecretSource): LookupFinding {
  const secrets = secretsOf(recipe).flatMap((name) => source[`SECRET_${name}`] ?? []);
  const conceal = (text: string) =>
    secrets.reduce((shown, secret) => (secret === '' ? shown : shown.replaceAll(secret, '••••')), text);
  return JSON.parse(JSON.stringify(finding), (_name, value: unknown) =>
    typeof value === 'string' ? conceal(value) : value,
  ) as LookupFinding;
}

async function refuse(
  ctx: LookingContext,
  code: RefusalCode,
  faults: readonly string[] = [],
): Promise<TrialAnswer> {
  await auditRefusal(ctx, EVENT, code, {}, { faults });
  return { outcome: 'refused', code, faults };
}
