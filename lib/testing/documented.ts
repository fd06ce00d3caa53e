// Holds real answers against the published document of the API.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { ADDRESSES, type CallName } from '@/lib/ledger/http/addresses';
import { apiDocument } from '@/lib/ledger/http/api-document';
import type { AnswerDocument } from '@/lib/ledger/http/document-form';
import type { ApiAnswer } from './producer-api';

const DOCUMENT = 'http://onceover.test/openapi.json';

/** Headers that mean something to a caller; each one that comes must be in the document. */
const TOLD = /^(location|retry-after|preference-applied|idempotency-replayed|onceover-.*)$/;

/** The document as it is, but answers may have no member that it does not name. */
function strictDocument(): object {
  return JSON.parse(JSON.stringify(apiDocument()), (name, value: unknown) =>
    typeof value === 'object' &&
    value !== null &&
    'properties' in value &&
    'type' in value &&
    value.type === 'object'
      ? { additionalProperties: false, ...value }
      : value,
  ) as object;
}

function compiler(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: DOCUMENT, ...strictDocument() });
  return ajv;
}

const ajv = compiler();

/** What is wrong with a value by the schema at a JSON pointer of the document. */
export function faultsBySchema(pointer: string, value: unknown): string[] {
  const check = ajv.getSchema(`${DOCUMENT}#${pointer}`);
  if (check === undefined) throw new Error(`no schema at ${pointer}`);
  void check(value);
  return (check.errors ?? []).map(
    (error) => `${error.instancePath} ${error.message ?? ''} ${JSON.stringify(error.params)}`,
  );
}

/** That the document has this answer of the call: its status, type, code, members and headers. */
export function expectDocumented(call: CallName, answer: ApiAnswer): void {
  const { method, path } = ADDRESSES[call];
  const templated = path.replace(/:(\w+)/g, '{$1}');
  const { responses } = apiDocument().paths[templated]![method.toLowerCase()]!;
  const replayed =
    answer.headers['idempotency-replayed'] === 'true' && !('onceover-disposition' in answer.headers);
  const status = replayed ? 'default' : String(answer.status);
  const said = responses[status] as AnswerDocument | undefined;
  if (said === undefined) throw new Error(`${call} does not say ${status}: ${answer.text}`);
  const headers = Object.keys(said.headers ?? {}).map((name) => name.toLowerCase());
  const unsaid = Object.keys(answer.headers).filter((name) => TOLD.test(name) && !headers.includes(name));
  expect(unsaid, `headers of ${call} ${status}`).toEqual([]);
  if (replayed) return;
  const type = answer.headers['content-type'] ?? '';
  expect(Object.keys(said.content ?? {}), `${call} ${status}`).toContain(type);
  const at = ['paths', templated, method.toLowerCase(), 'responses', status, 'content', type, 'schema'];
  const pointer = at
    .map((token) => `/${encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');
  expect(faultsBySchema(pointer, answer.body), `${call} ${status} ${answer.text}`).toEqual([]);
}
