import { z } from 'zod';
import { judgeMatchMembers, limitMembers, matchMembers } from './connector-match';
import { placeholder } from './connector-template';
import { isJsonPointer, pointerTokens } from './json-pointer';

/** A column of the query, written as a pointer: `/amount`. */
const column = z
  .string()
  .max(64, { abort: true })
  .refine(
    (text) =>
      isJsonPointer(text) &&
      pointerTokens(text).length === 1 &&
      /^[a-z_][a-z0-9_]{0,62}$/.test(text.slice(1)),
    'must be one column, as in `/amount`: a lower-case name of the query',
  );

const sql = z
  .string()
  .min(1)
  .max(4_000, { abort: true })
  .regex(/^\s*(?:select|with)\s/i, 'must be one SELECT')
  .refine((text) => !/[\0;]/.test(text), 'must be one statement, without a semicolon');

/** A question to a PostgreSQL database: one SELECT in a read-only transaction, by a role that can only read. */
export const postgresConnectorSchema = z
  .strictObject({
    kind: z.literal('postgres'),
    /** The target system whose executions it answers for; `target.system` of the claim. */
    system: z.string().regex(/^[\x21-\x7e]{1,128}$/),
    /** The whole connection, as a URL in the environment: `${secret:ORDERS_DB}` is SECRET_ORDERS_DB. */
    connection: z
      .string()
      .regex(/^\$\{secret:[A-Z][A-Z0-9_]{0,63}\}$/, 'must be exactly one secret by reference'),
    /** Values stand as $1, $2 … and never in the text. */
    sql,
    parameters: z.array(placeholder).min(1).max(20),
    /** Rows beyond make the list one that was not read to its end. */
    rowLimit: z.number().int().min(2).max(100).default(50),
    ...matchMembers(column),
    notFound: z.strictObject({ emptyList: z.boolean() }),
    ...limitMembers,
  })
  .superRefine((recipe, context) => {
    judgeMatchMembers(recipe, context);
    const numbers = new Set((recipe.sql.match(/\$\d{1,3}/g) ?? []).map((each) => Number(each.slice(1))));
    const isWhole = recipe.parameters.every((_each, index) => numbers.has(index + 1));
    if (!isWhole || numbers.size !== recipe.parameters.length)
      context.addIssue({
        code: 'custom',
        path: ['parameters'],
        message: 'must be those that the SQL names, $1 first',
      });
  });
export type PostgresConnector = z.infer<typeof postgresConnectorSchema>;

/** The columns that the recipe reads, each once; the only ones that leave the database. */
export function columnsOf({ fields, content, statusRules }: PostgresConnector): string[] {
  const places = [
    ...Object.values(fields),
    ...content.map((each) => each.pointer),
    ...statusRules.map((rule) => rule.at),
  ];
  return [...new Set(places.filter((each) => each !== undefined).map((place) => place.slice(1)))];
}
