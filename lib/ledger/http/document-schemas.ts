import { z } from 'zod';
import * as answers from './answer-schemas';
import { byKeyQuery, waitingQuery, workflowQuery } from './query-schemas';
import * as bodies from './schemas';

const BODIES = {
  ClaimBody: bodies.claimBody,
  KeylessBody: bodies.keylessBody,
  EffectStartedBody: bodies.effectStartedBody,
  HeartbeatBody: bodies.heartbeatBody,
  CompleteBody: bodies.completeBody,
  FailBody: bodies.failBody,
  UnknownBody: bodies.unknownBody,
  CancelBody: bodies.cancelBody,
} as const;

const ANSWERS = {
  Execution: answers.execution,
  EffectStartedExecution: answers.effectStarted,
  ExecutionPage: answers.executionPage,
  Claimed: answers.claimed,
  ResultReused: answers.resultReused,
  Unprotected: answers.unprotected,
  DuplicateHeld: answers.duplicateHeld,
  KeylessRecorded: answers.keylessRecorded,
  Problem: answers.problem,
} as const;

export type BodyName = keyof typeof BODIES;
export type AnswerName = keyof typeof ANSWERS;

/** JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

const QUERIES = { byKey: byKeyQuery, waiting: waitingQuery, workflow: workflowQuery } as const;

/** All named schemas of the document, made from those that parse the requests. */
export function namedSchemas(): Record<BodyName | AnswerName, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries({ ...BODIES, ...ANSWERS })) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    // What callers send, before it is trimmed to our liking.
    io: 'input',
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _address, ...schema }]) => [id, schema]),
  ) as unknown as Record<BodyName | AnswerName, JsonSchema>;
}

/** Parameters of a list, by name. */
export function queryParameters(query: keyof typeof QUERIES): Record<string, JsonSchema> {
  const schema = z.toJSONSchema(QUERIES[query], {
    io: 'input',
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  return (schema.properties ?? {}) as Record<string, JsonSchema>;
}

/** The bounds of a double that zod writes to every whole number say nothing to a reader. */
function tidy(schema: JsonSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}
