// Operation policies and connectors as data: of ONCEOVER_CONFIG (YAML) or of the demo. Read once, into an empty database.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Transaction } from '@/lib/db/transaction';
import { connectorSchema } from '@/lib/domain/connector';
import { configuredPolicy, connectorId } from '@/lib/domain/operation-policy';
import { policyTerms } from '@/lib/domain/policy-terms';
import { outsideUrlFault } from '@/lib/domain/outside-address';
import { fillRecipe } from '@/lib/lookup/recipes/shipped-recipe';
import { shippedRecipes } from '@/lib/lookup/recipes/shipped-recipes';

const name = z.string().regex(/^[\x21-\x7e]{1,128}$/);
/** The columns of ledger.operation_policies; what is absent keeps the built-in default. */
export const policySchema = z.strictObject({
  tenantId: name,
  operation: name,
  version: z.number().int().positive().default(1),
  ...configuredPolicy,
});

/** The columns of review.approval_policies: who has to approve what of an operation. */
const approvalPolicySchema = z.strictObject({
  tenantId: name,
  operation: name,
  steps: policyTerms.steps,
  minRationale: policyTerms.minRationale.optional(),
  approvalTtlSeconds: policyTerms.approvalTtlSeconds.optional(),
  executionTtlSeconds: policyTerms.executionTtlSeconds.optional(),
});

/** `{ shipped: <name>, settings: { … } }` stands for the recipe that the product brings along. */
const shippedSchema = z.strictObject({
  shipped: z.enum(shippedRecipes().map(({ name }) => name)),
  settings: z.record(z.string(), z.string()).default({}),
});

const recipe = z
  .unknown()
  .transform((given, context): unknown => {
    if (typeof given !== 'object' || given === null || !('shipped' in given)) return given;
    const chosen = shippedSchema.safeParse(given);
    const shipped = shippedRecipes().find(({ name }) => name === chosen.data?.shipped);
    if (chosen.data === undefined || shipped === undefined) {
      for (const { path, message } of chosen.error?.issues ?? [])
        context.addIssue({ code: 'custom', path, message });
      return z.NEVER;
    }
    const filled = fillRecipe(shipped, chosen.data.settings);
    if (filled.ok) return filled.connector;
    for (const { path, message } of filled.faults)
      context.addIssue({ code: 'custom', path: ['settings', path], message: `${path} ${message}` });
    return z.NEVER;
  })
  .pipe(connectorSchema);

const connectorConfigSchema = z
  .strictObject({
    connectorId,
    /** Null: for every tenant. */
    tenantId: name.nullable().default(null),
    recipe,
    /** Lets this one connector ask a service on this machine, and no other private address. */
    allowPrivate: z.boolean().default(false),
  })
  .superRefine(({ recipe, allowPrivate }, context) => {
    // Judged here by its text, and again, resolved, at every lookup (SS-01).
    const fault =
      recipe.kind === 'http' ? outsideUrlFault(recipe.baseUrl, { allowLoopback: allowPrivate }) : null;
    if (fault !== null) {
      context.addIssue({
        code: 'custom',
        path: ['recipe', 'baseUrl'],
        message: `is no address to call (${fault})`,
      });
    }
  });

/** The columns of review.outage_limits: so many unknown results of one system within this time are an outage. */
const outageLimitSchema = z.strictObject({
  tenantId: name,
  unknownResults: z.number().int().min(2).max(10_000),
  withinSeconds: z.number().int().min(60).max(86_400),
});

const configurationSchema = z.strictObject({
  tenants: z.array(z.strictObject({ tenantId: name, displayName: z.string().min(1).max(200) })).default([]),
  connectors: z.array(connectorConfigSchema).default([]),
  policies: z.array(policySchema).default([]),
  approvalPolicies: z.array(approvalPolicySchema).default([]),
  outageLimits: z.array(outageLimitSchema).default([]),
});
export type Configuration = z.output<typeof configurationSchema>;

/** The configuration checked and completed, or an error that names each wrong member. */
export function readConfiguration(value: unknown, source: string): Configuration {
  const read = configurationSchema.safeParse(value);
  if (read.success) return read.data;
  throw new Error(`${source} is not a valid configuration:\n${z.prettifyError(read.error)}`);
}

/** The file of ONCEOVER_CONFIG. */
export function readConfigurationFile(file: string): Configuration {
  return readConfiguration(parse(readFileSync(file, 'utf8')), file);
}

const columnOf = (member: string) => member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const JSON_COLUMNS = new Set(['field_defaults', 'field_types', 'outcome_codes', 'guide', 'recipe', 'steps']);

// Column names come from the schemas above, never from the file: unknown members were refused.
async function insertRow(tx: Transaction, table: string, row: Record<string, unknown>): Promise<boolean> {
  const members = Object.entries(row).filter(([, value]) => value !== undefined);
  const columns = members.map(([member]) => columnOf(member));
  const values = members.map(([member, value]) =>
    JSON_COLUMNS.has(columnOf(member)) ? JSON.stringify(value) : value,
  );
  const places = columns.map((_, index) => `$${index + 1}`);
  const { rowCount } = await tx.query(
    `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')}) on conflict do nothing`,
    values,
  );
  return rowCount === 1;
}

// The database has rules of its own, such as that of retention; its complaint does not say whose row it is.
async function naming<T>(what: string, insert: Promise<T>): Promise<T> {
  try {
    return await insert;
  } catch (error) {
    throw new Error(`${what} is refused: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/**
 * Writes what is not there yet; rows that exist stay as people have changed them.
 * @returns how many rows were made
 */
export async function applyConfiguration(
  tx: Transaction,
  configuration: Omit<Configuration, 'tenants'>,
  marks: { demo: boolean; createdBy: string },
): Promise<number> {
  let made = 0;
  for (const connector of configuration.connectors) {
    const insert = insertRow(tx, 'review.connectors', connector);
    if (await naming(`the connector ${connector.connectorId}`, insert)) made += 1;
  }
  for (const policy of configuration.policies) {
    const { rowCount } = await tx.query(
      `select from ledger.operation_policies where tenant_id = $1 and operation = $2`,
      [policy.tenantId, policy.operation],
    );
    if (rowCount !== 0) continue;
    const insert = insertRow(tx, 'ledger.operation_policies', { ...policy, ...marks });
    if (await naming(`the policy of ${policy.operation}`, insert)) made += 1;
  }
  for (const policy of configuration.approvalPolicies) {
    const { rowCount } = await tx.query(
      `select from review.approval_policies where tenant_id = $1 and operation = $2`,
      [policy.tenantId, policy.operation],
    );
    if (rowCount !== 0) continue;
    const insert = insertRow(tx, 'review.approval_policies', { ...policy, version: 1 });
    if (await naming(`the approval policy of ${policy.operation}`, insert)) made += 1;
  }
  for (const limit of configuration.outageLimits) {
    const insert = insertRow(tx, 'review.outage_limits', limit);
    if (await naming(`the outage limit of ${limit.tenantId}`, insert)) made += 1;
  }
  return made;
}
