// A published description of an outside system (an OpenAPI document, cut to what the recipes use; its `x-excerpt` says of
// what), and the judging of questions and answers by it.
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { ROOT } from '../commands/toolchain.mjs';

interface Parameter {
  name: string;
  in: 'query' | 'path' | 'header';
  required?: boolean;
  style?: string;
  schema: object;
}
interface Operation {
  parameters?: (Parameter | { $ref: string })[];
  responses: Record<string, { $ref?: string; content?: Record<string, { schema?: object }> }>;
  security?: Record<string, string[]>[];
  /** What the description tells of it in words. */
  'x-says': string;
}
export interface Description {
  servers: { url: string }[];
  security?: Record<string, string[]>[];
  paths: Record<string, { parameters?: Operation['parameters']; get: Operation }>;
  components: Record<string, Record<string, unknown>>;
}

/** @param name of a file in lib/testing/descriptions */
export function readDescription(name: string): Description {
  const file = path.join(ROOT, 'lib/testing/descriptions', `${name}.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as Description;
}

/** What a reference of the description stands for. */
export function resolved<T>(description: Description, value: T | { $ref: string }): T {
  if (typeof value !== 'object' || value === null || !('$ref' in value) || typeof value.$ref !== 'string')
    return value as T;
  const [, , kind = '', name = ''] = value.$ref.split('/');
  return description.components[kind]?.[name] as T;
}

function compiler(options: Options): Ajv {
  const ajv = new Ajv({ strict: false, allErrors: true, ...options });
  addFormats.default(ajv);
  for (const format of ['unix-time', 'decimal', 'currency', 'int32', 'int64']) ajv.addFormat(format, true);
  return ajv;
}

/** Holds questions and answers against a description, and says what is not as it has it. */
export function judgeBy(description: Description) {
  const questions = compiler({ coerceTypes: 'array' });
  const answers = compiler({});
  answers.addSchema({ $id: 'description', ...(withNull(description) as object) });
  const resolve = <T>(value: T | { $ref: string }) => resolved<T>(description, value);
  const base = new URL(description.servers[0]?.url ?? '').pathname.replace(/\/$/, '');

  const templateOf = (pathname: string) =>
    Object.keys(description.paths).find((template) => {
      const pattern = template.replace(/[.+*?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+');
      return new RegExp(`^${base}${pattern}$`).test(pathname);
    });

  return {
    operation(url: URL, headers: IncomingMessage['headers']) {
      const template = templateOf(url.pathname);
      if (template === undefined)
        return { template: '', refusal: {}, faults: [`${url.pathname} is no path`] };
      const item = description.paths[template];
      const parameters = [...(item?.parameters ?? []), ...(item?.get.parameters ?? [])].map((each) =>
        resolve<Parameter>(each),
      );
      const faults: string[] = [];
      for (const [name, value] of url.searchParams) {
        const known = parameters.find(
          (each) =>
            each.in === 'query' &&
            (each.name === name || (each.style === 'deepObject' && `${each.name}[]` === name)),
        );
        if (known === undefined) faults.push(`${name} is no parameter of ${template}`);
        else if (!questions.validate({ type: 'object', properties: { value: known.schema } }, { value }))
          faults.push(`${name}=${value}: ${questions.errorsText()}`);
      }
      for (const { name, in: where, required } of parameters) {
        if (required !== true) continue;
        if (where === 'query' && !url.searchParams.has(name)) faults.push(`${name} is missing`);
        if (where === 'header' && headers[name.toLowerCase()] === undefined)
          faults.push(`header ${name} is missing`);
      }
      const schemes = (item?.get.security ?? description.security ?? []).flatMap(Object.keys);
      const sent = headers.authorization ?? '';
      const agrees = schemes.some((scheme) => {
        const { type, scheme: kind = '' } = description.components['securitySchemes']?.[scheme] as {
          type: string;
          scheme?: string;
        };
        return type === 'apiKey' ? sent !== '' : sent.toLowerCase().startsWith(`${kind} `);
      });
      if (schemes.length > 0 && !agrees)
        faults.push(`"${sent.split(' ')[0]}" is no security scheme of ${template}`);
      return { template, refusal: undefined, faults };
    },
    answer(template: string, status: number, body: unknown): string[] {
      const responses: Operation['responses'] = description.paths[template]?.get.responses ?? {};
      const key = String(status) in responses ? String(status) : 'default';
      const said = responses[key];
      if (said === undefined) return [`${template} does not answer ${status}`];
      const content = resolve<{ content?: Record<string, { schema?: object }> }>(
        said as { $ref: string },
      ).content;
      if (content?.['application/json'] === undefined) return [];
      const at = ['paths', template, 'get', 'responses', key];
      const holder = said.$ref === undefined ? at : said.$ref.split('/').slice(1);
      const check = answers.getSchema(
        `description#${pointerOf([...holder, 'content', 'application/json', 'schema'])}`,
      ) as ValidateFunction | undefined;
      if (check === undefined) return [`no schema for ${template} ${status}`];
      return check(body)
        ? []
        : (check.errors ?? []).map((error) => `${template} ${status} ${error.instancePath} ${error.message}`);
    },
  };
}

const pointerOf = (tokens: string[]) =>
  tokens.map((token) => `/${encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

/** OpenAPI 3.0 says "nullable" where JSON Schema has a type of its own. */
function withNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNull);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withNull(each)]),
  );
  return nullable === true
    ? { anyOf: [rest, { type: 'null' }] }
    : 'nullable' in value && typeof nullable === 'object'
      ? { nullable, ...rest }
      : rest;
}
