// What a description says that an answer holds: a sample of a schema, and whether a recipe's places are described at all.
import type { HttpConnector } from '@/lib/domain/connector-http';
import { pointerTokens } from '@/lib/domain/json-pointer';
import { resolved, type Description } from './description';

interface Schema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  format?: string;
  nullable?: boolean;
  minLength?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

const BY_FORMAT: Record<string, string> = {
  uri: 'https://example.com/',
  'date-time': '2026-01-01T00:00:00Z',
  email: 'kim@example.com',
  ipv4: '192.0.2.1',
  uuid: '0b1f6c0e-6f3a-4f6e-9f55-0a8a7b6c5d4e',
};

/** The least that agrees with a schema: members that are required, each with the plainest value. */
export function sample(description: Description, schema: Schema | { $ref: string }): unknown {
  const own = resolved<Schema>(description, schema as { $ref: string });
  if (own.nullable === true) return null;
  if (own.enum !== undefined) return own.enum[0];
  if (own.allOf !== undefined) {
    const parts = [...own.allOf, { ...own, allOf: undefined }].map((each) =>
      sample(description, each as Schema),
    );
    return Object.assign({}, ...parts) as unknown;
  }
  const choice = (own.anyOf ?? own.oneOf)?.[0];
  if (choice !== undefined && own.properties === undefined) return sample(description, choice);
  if (own.type === 'array') return [];
  if (own.type === 'integer' || own.type === 'number') return 1;
  if (own.type === 'boolean') return false;
  if (own.type === 'string') return BY_FORMAT[own.format ?? ''] ?? 'x'.repeat(own.minLength ?? 1);
  const members = (own.required ?? []).map((name) => [
    name,
    sample(description, own.properties?.[name] ?? {}),
  ]);
  return Object.fromEntries(members) as unknown;
}

/** The schemas that a pointer can lead to; none where the description knows no such member. */
function schemasAt(description: Description, schema: Schema, tokens: readonly string[]): Schema[] {
  const own = resolved<Schema>(description, schema as { $ref: string });
  const parts = [...(own.anyOf ?? []), ...(own.oneOf ?? []), ...(own.allOf ?? [])];
  const within = parts.flatMap((each) => schemasAt(description, each, tokens));
  const [token, ...others] = tokens;
  if (token === undefined) return [own, ...within];
  const more = typeof own.additionalProperties === 'object' ? own.additionalProperties : undefined;
  const next = own.properties?.[token] ?? (own.type === 'array' ? own.items : undefined) ?? more;
  // `{}` is anything: what stands in it is the installation's own, such as the fields of an issue.
  const isOpen = next !== undefined && Object.keys(next).length === 0;
  return [...within, ...(next === undefined ? [] : isOpen ? [next] : schemasAt(description, next, others))];
}

/** Places and words of a recipe that the description does not have. */
export function undescribed(description: Description, template: string, connector: HttpConnector): string[] {
  const answer = description.paths[template]?.get.responses['200']?.content?.['application/json']
    ?.schema as Schema;
  const thing = connector.items === undefined ? '' : `${connector.items}/0`;
  const ofThing = (place: string) => thing + place;
  const { paging } = connector;
  const places = [
    ...Object.values(connector.fields).map(ofThing),
    ...connector.content.map(({ pointer }) => ofThing(pointer)),
    ...connector.statusRules.map(({ at }) => ofThing(at)),
    connector.items,
    connector.moreAt,
    connector.totalAt,
    paging?.by === 'next' || paging?.by === 'cursor' ? paging.at : undefined,
    paging?.by === 'last' ? ofThing(paging.at) : undefined,
  ].filter((place) => place !== undefined);
  const at = (place: string) => schemasAt(description, answer, pointerTokens(place));
  const missing = places.filter((place) => at(place).length === 0);
  const words = [
    ...Object.values(connector.statuses ?? {})
      .flat()
      .map((word) => ({ place: ofThing(connector.fields.status ?? ''), word: word as unknown })),
    ...connector.statusRules.flatMap(({ at: place, is = [] }) =>
      is.map((word) => ({ place: ofThing(place), word: word as unknown })),
    ),
  ];
  const unknown = words.filter(({ place, word }) => {
    const lists = at(place).flatMap((schema) => (schema.enum === undefined ? [] : [schema.enum]));
    return lists.length > 0 && !lists.some((list) => list.includes(word));
  });
  return [...missing, ...unknown.map(({ place, word }) => `${String(word)} at ${place}`)];
}
