import { z } from 'zod';
import { httpConnectorSchema, SECRET_REFERENCE } from './connector-http';
import { postgresConnectorSchema } from './connector-postgres';

/**
 * A read-only question to an outside system, as data. Text with NUL, unknown members and half-open
 * templates are refused, so what was saved is what is asked. Without `kind` it is one by HTTP.
 */
export const connectorSchema = z.preprocess(
  (recipe) =>
    typeof recipe === 'object' && recipe !== null && !Array.isArray(recipe) && !('kind' in recipe)
      ? { kind: 'http', ...recipe }
      : recipe,
  z.discriminatedUnion('kind', [httpConnectorSchema, postgresConnectorSchema]),
);
export type Connector = z.infer<typeof connectorSchema>;

/** What judges a found thing, whatever the kind of connector. */
export type ConnectorMatch = Pick<
  Connector,
  'system' | 'fields' | 'fixedAccount' | 'content' | 'statusRules' | 'statuses' | 'absentId'
>;

/** Where a connector's secrets go: the origin of an address, or a database by the name of its connection. */
export function placeOf(connector: Connector): string {
  return connector.kind === 'http' ? new URL(connector.baseUrl).origin : connector.connection;
}

/** Names of the secrets that a connector needs, without their values. */
export function secretsOf(connector: Connector): string[] {
  const texts = connector.kind === 'http' ? Object.values(connector.headers) : [connector.connection];
  const references = texts.flatMap((value) => [...value.matchAll(SECRET_REFERENCE)]);
  return [...new Set(references.map((match) => match[1] ?? ''))];
}
