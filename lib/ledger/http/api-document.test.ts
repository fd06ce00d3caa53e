import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import { PROBLEM_CODES, type ProblemCode } from '@/lib/domain/problem-codes';
import { faultsBySchema } from '@/lib/testing/documented';
import { ADDRESSES, type CallName } from './addresses';
import { apiDocument } from './api-document';
import { EXAMPLES, problemExample } from './document-examples';
import * as bodies from './schemas';

const operations = Object.values(apiDocument().paths).flatMap((methods) => Object.values(methods));

it('R-018e the document is OpenAPI 3.1, and every reference in it leads somewhere', async () => {
  const { valid, errors } = await new Validator().validate({ ...structuredClone(apiDocument()) });
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  expect(apiDocument().openapi).toMatch(/^3\.1\./);
});

it('R-018e each call of the router is in it once, and nothing else', () => {
  expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(
    Object.keys(ADDRESSES).toSorted(),
  );
  for (const [name, { method, path }] of Object.entries(ADDRESSES)) {
    const said = apiDocument().paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
    expect(said?.operationId, name).toBe(name);
    const parameters = said!.parameters.filter((parameter) => parameter.in === 'path');
    expect(parameters).toHaveLength((path.match(/:/g) ?? []).length);
  }
});

it('R-018e each call needs a token but the document itself', () => {
  expect(apiDocument().security).toEqual([{ token: [] }]);
  expect(
    operations.filter(({ security }) => security !== undefined).map(({ operationId }) => operationId),
  ).toEqual(['getDocument']);
});

/** Codes of same-database mode; no call over HTTP answers them. */
const ELSEWHERE: readonly ProblemCode[] = [
  'RETRY_DEADLINE_EXCEEDED',
  'RETRY_LIMIT_REACHED',
  'METHOD_NOT_ALLOWED',
];

it('R-018c every code stands where its status is, with an example', () => {
  const said = new Set<string>();
  for (const { operationId, responses } of operations) {
    for (const [status, { content }] of Object.entries(responses)) {
      const examples = content?.['application/problem+json']?.examples ?? {};
      for (const code of Object.keys(examples)) {
        expect(PROBLEM_CODES[code as ProblemCode].status, operationId).toBe(Number(status));
        said.add(code);
      }
    }
  }
  const codes = Object.keys(PROBLEM_CODES).filter((code) => !ELSEWHERE.includes(code as ProblemCode));
  expect([...said].toSorted()).toEqual(codes.toSorted());
});

it('R-018e every example is what its schema says', () => {
  for (const [name, example] of Object.entries(EXAMPLES))
    expect(faultsBySchema(`/components/schemas/${name}`, example), name).toEqual([]);
  for (const code of Object.keys(PROBLEM_CODES) as ProblemCode[])
    expect(faultsBySchema('/components/schemas/Problem', problemExample(code)), code).toEqual([]);
});

const claim = EXAMPLES.ClaimBody;
const fail = EXAMPLES.FailBody;

it.each<[keyof typeof bodies, string, object]>([
  ['claimBody', 'ClaimBody', claim],
  ['claimBody', 'ClaimBody', { ...claim, payload: null }],
  ['claimBody', 'ClaimBody', { ...claim, payload: undefined }],
  ['claimBody', 'ClaimBody', { ...claim, payload: undefined, fingerprint: `sha256:${'Ab'.repeat(32)}` }],
  ['claimBody', 'ClaimBody', { ...claim, fingerprint: `sha256:${'Ab'.repeat(32)}` }],
  ['claimBody', 'ClaimBody', { ...claim, operation: 'two words' }],
  ['claimBody', 'ClaimBody', { ...claim, operation: 'x'.repeat(129) }],
  ['claimBody', 'ClaimBody', { ...claim, requestId: '' }],
  ['claimBody', 'ClaimBody', { ...claim, requestId: 'a\u0085b' }],
  ['claimBody', 'ClaimBody', { ...claim, attemptId: 'x' }],
  ['claimBody', 'ClaimBody', { ...claim, leaseSeconds: 86_401 }],
  ['claimBody', 'ClaimBody', { ...claim, leaseSeconds: 1.5 }],
  ['claimBody', 'ClaimBody', { ...claim, deadline: '2026-11-29T00:00:00+09:00' }],
  ['claimBody', 'ClaimBody', { ...claim, deadline: 'tomorrow' }],
  ['claimBody', 'ClaimBody', { ...claim, target: { system: 'mail' } }],
  ['claimBody', 'ClaimBody', { ...claim, approvalRef: { id: 'A', count: 0 } }],
  ['claimBody', 'ClaimBody', { ...claim, surprise: 1 }],
  ['keylessBody', 'KeylessBody', { ...EXAMPLES.KeylessBody, payload: [1] }],
  ['keylessBody', 'KeylessBody', { requestId: 'r' }],
  ['effectStartedBody', 'EffectStartedBody', { fencingToken: 1 }],
  ['effectStartedBody', 'EffectStartedBody', { fencingToken: '01' }],
  ['heartbeatBody', 'HeartbeatBody', EXAMPLES.HeartbeatBody],
  ['completeBody', 'CompleteBody', EXAMPLES.CompleteBody],
  ['completeBody', 'CompleteBody', { fencingToken: '1', response: { body: 1 } }],
  ['failBody', 'FailBody', { ...fail, message: 'two\nlines\u0009' }],
  ['failBody', 'FailBody', { ...fail, message: 'bell\u0007' }],
  ['failBody', 'FailBody', { ...fail, basis: 'GUESS' }],
  ['unknownBody', 'UnknownBody', EXAMPLES.UnknownBody],
  ['cancelBody', 'CancelBody', { reason: '' }],
])('R-018e %s and the document judge alike: %s %j', (parser, name, body) => {
  const sent = JSON.parse(JSON.stringify(body)) as unknown;
  const schema = bodies[parser] as { safeParse(value: unknown): { success: boolean } };
  expect(faultsBySchema(`/components/schemas/${name}`, sent).length === 0).toBe(
    schema.safeParse(sent).success,
  );
});

it('R-018e every call has words, and every answer too', () => {
  for (const { operationId, summary, description, responses } of operations) {
    expect(
      [summary, description].every((text) => text.length > 3),
      operationId,
    ).toBe(true);
    for (const answer of Object.values(responses)) expect(answer.description.length).toBeGreaterThan(3);
  }
  const names: CallName[] = ['claim', 'register'];
  for (const { operationId, parameters } of operations)
    expect(parameters.some(({ name }) => name === 'Idempotency-Key')).toBe(names.includes(operationId));
});
