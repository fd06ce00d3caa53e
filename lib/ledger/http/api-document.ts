import { ADDRESSES, type CallName } from './addresses';
import { CALLS, type CallDocument } from './call-documents';
import { HEADERS, problems, ref, REPLAY, successes } from './document-answers';
import { EXAMPLES } from './document-examples';
import type { ApiDocument, OperationDocument, ParameterDocument } from './document-form';
import { namedSchemas, queryParameters, type JsonSchema } from './document-schemas';

const INTRODUCTION =
  'Claim a key before each side effect, announce the effect before it is sent, and report what came of it. ' +
  'Bodies are strict JSON in UTF-8 without byte order mark, at most 1 MiB and 64 levels, without duplicate names and without members that this document does not name. ' +
  'Every answer that is no success is `application/problem+json` (RFC 9457) with a stable `code`.';

let made: ApiDocument | undefined;

/** OpenAPI 3.1 of the API, made of the list of its calls and of the schemas that parse their requests. */
export function apiDocument(): ApiDocument {
  return (made ??= {
    openapi: '3.1.0',
    info: { title: 'Onceover producer API', version: '1', description: INTRODUCTION },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }],
    tags: [
      { name: 'Claims', description: 'Taking work, so that it is done once.' },
      { name: 'Reports', description: 'What an executor says about its attempt, each time with its token.' },
      { name: 'Reading', description: 'Only what the principal of the token owns.' },
    ],
    paths: paths(),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'Made by `npm run token -- create`.' },
      },
      headers: HEADERS,
      schemas: { ...namedSchemas() },
    },
  });
}

function paths(): ApiDocument['paths'] {
  const found: Record<string, Record<string, OperationDocument>> = {};
  for (const name of Object.keys(ADDRESSES) as CallName[]) {
    const { method, path } = ADDRESSES[name];
    const templated = path.replace(/:(\w+)/g, '{$1}');
    (found[templated] ??= {})[method.toLowerCase()] = operationOf(name);
  }
  return found;
}

function operationOf(name: CallName): OperationDocument {
  const call = CALLS[name];
  const open = ADDRESSES[name].access === 'open';
  return {
    operationId: name,
    tags: [call.tag],
    summary: call.summary,
    description: call.says,
    ...(open ? { security: [] } : {}),
    parameters: [...pathParameters(ADDRESSES[name].path), ...headerParameters(call, name), ...query(call)],
    ...(call.body === undefined
      ? {}
      : {
          requestBody: {
            required: true as const,
            content: {
              'application/json': { schema: ref(call.body), example: EXAMPLES[call.body] },
            },
          },
        }),
    responses: { ...successes(call), ...problems(call, open), ...(name === 'claim' ? REPLAY : {}) },
  };
}

function pathParameters(path: string): ParameterDocument[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema:
      name === 'id' ? { type: 'string', format: 'uuid' } : { type: 'string', minLength: 1, maxLength: 255 },
    ...(name === 'id'
      ? {}
      : { description: 'Percent-encoded. For `.` and `..` use the query of `/executions`.' }),
  }));
}

function headerParameters(call: CallDocument, name: CallName): ParameterDocument[] {
  if (call.key !== true) return [];
  const key: ParameterDocument = {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description:
      'Names the intent and stays the same on every retransmission: 1 to 255 visible ASCII characters, bare or as an RFC 8941 string. Once in a request.',
    schema: { type: 'string', minLength: 1, examples: ['receipt-4711', '"receipt-4711"'] },
  };
  const prefer: ParameterDocument = {
    name: 'Prefer',
    in: 'header',
    required: false,
    description: '`respond-async`: 202 with an address in place of 409 while somebody else is at work.',
    schema: { type: 'string', examples: ['respond-async'] },
  };
  return name === 'claim' ? [key, prefer] : [key];
}

/** The forms of a list share their parameters; which of them belong together the description says. */
function query(call: CallDocument): ParameterDocument[] {
  const schemas = (call.query ?? []).map((form) =>
    form === 'page' ? withoutPath(queryParameters('workflow')) : queryParameters(form),
  );
  return Object.entries(Object.assign({}, ...schemas) as Record<string, JsonSchema>).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: false,
      ...(description === undefined ? {} : { description }),
      schema,
    }),
  );
}

function withoutPath({ workflowId: _inThePath, ...others }: Record<string, JsonSchema>) {
  return others;
}
