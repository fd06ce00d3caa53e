import { Fragment } from 'react';
import { type JsonSchema } from '@/lib/ledger/http/document-schemas';

export const schemaAnchor = (name: string): string => `schema-${name}`;

/** What a value may be, in a few words. */
export function SchemaType({ schema }: { schema: JsonSchema }) {
  return (
    <span lang="en" className="font-mono text-xs text-ink-muted [overflow-wrap:anywhere]">
      <TypeWords schema={schema} />
    </span>
  );
}

function TypeWords({ schema }: { schema: JsonSchema }) {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) {
    return (
      <a href={`#${schemaAnchor(name)}`} className="text-accent underline underline-offset-2">
        {name}
      </a>
    );
  }
  const choices = (schema.anyOf ?? schema.oneOf ?? schema.allOf?.slice(0, 1)) as JsonSchema[] | undefined;
  if (choices !== undefined && schema.properties === undefined) {
    return choices.map((choice, index) => (
      <Fragment key={index}>
        {index > 0 && ' | '}
        <TypeWords schema={choice} />
      </Fragment>
    ));
  }
  if (schema.type === 'array') {
    return (
      <>
        [<TypeWords schema={schema.items as JsonSchema} />]
      </>
    );
  }
  return plainWords(schema);
}

function plainWords(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const { type = 'any JSON', format, minimum, maximum, maxLength } = schema;
  const bounds =
    minimum !== undefined && maximum !== undefined
      ? `${minimum} to ${maximum}`
      : minimum !== undefined
        ? `from ${minimum}`
        : maxLength !== undefined
          ? `up to ${maxLength}`
          : undefined;
  return [type, format, bounds].filter((word) => word !== undefined).join(', ');
}
