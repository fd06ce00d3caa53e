import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { demoEmail } from '@/lib/commands/demo-accounts';
import { findSecrets } from '@/lib/domain/secret-screen';
import { expect, test } from './desk';
import { fromOurPages, signInByHttp, type HttpCaller } from './http-person';
import { type LedgerTruth } from './ledger-truth';
import { demoTokens } from './producer';
import { type Place } from './product';
import { rawRequest, routerRequest } from './raw-request';

const ARTEFACT = path.resolve(import.meta.dirname, '../.next/standalone/.next');

/** Something that nobody but its owner is told, and the places that it belongs to. */
interface Marker {
  name: string;
  text: string;
  belongs: RegExp;
}

const NOWHERE = /^$/;

/** The installation's own secrets, as it keeps them. */
function secretsOf({ dataDir }: Place): Marker[] {
  const read = (name: string) => fs.readFileSync(path.join(dataDir, name), 'utf8').trim();
  const object = (name: string) => JSON.parse(read(name)) as Record<string, unknown>;
  const named = (from: string, texts: [string, string][]) =>
    texts.map(([name, text]) => ({ name: `${from} ${name}`, text, belongs: NOWHERE }));
  return [
    ...named(
      'file',
      ['nextauth-secret', 'field-hash-key', 'demo-password'].map((name) => [name, read(name)]),
    ),
    ...named('key', [['signing', read('audit-signing-key.pem').split('\n')[1] ?? '']]),
    ...named('token', Object.entries(object('demo-tokens.json')) as [string, string][]),
    ...named('database', Object.entries(object('database.json')['passwords'] as Record<string, string>)),
    ...named(
      'system',
      Object.entries(object('sandbox.json')).map(([name, system]) => [
        name,
        (system as { secret: string }).secret,
      ]),
    ),
  ];
}

/** An execution with content and a reference to its input that nobody is to see. */
async function sensitiveExecution(place: Place): Promise<{ id: string; markers: Marker[] }> {
  const [content, reference] = [`canary-${randomUUID()}`, `s3://inputs/canary-${randomUUID()}`];
  const answer = await rawRequest(place.address, {
    method: 'POST',
    path: '/api/v1/executions',
    headers: {
      authorization: `Bearer ${demoTokens(place)['north-automation']}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({
      ...{ operation: 'privacy-note', requestId: randomUUID(), inputRef: reference, leaseSeconds: 600 },
      payload: { card: '4111 1111 1111 1111', mail: 'someone@example.test', text: content },
    }),
  });
  expect(answer.status, answer.body).toBe(201);
  const { executionId } = JSON.parse(answer.body) as { executionId: string };
  const markers = [content, '4111 1111 1111 1111', 'someone@example.test'].map((text) => ({
    ...{ name: 'content', text, belongs: NOWHERE },
  }));
  markers.push({ name: 'input reference', text: reference, belongs: /^table ledger\.executions$/ });
  return { id: executionId, markers };
}

async function addresses(truth: LedgerTruth, executionId: string): Promise<string[]> {
  const { exception, number } = await truth.one<{ exception: string; number: string }>(
    `SELECT (SELECT exception_id::text FROM review.exceptions WHERE tenant_id = 'tenant-north' LIMIT 1) AS exception,
            (SELECT max(number)::text FROM review.audit_events) AS number`,
  );
  return [
    ...[
      '/queue',
      '/executions',
      '/approvals',
      '/audit',
      '/account/sessions',
      '/admin/people',
      '/admin/tokens',
    ],
    ...[`/executions/${executionId}`, `/exceptions/${exception}`, `/audit/${number}`, '/docs', '/login'],
  ];
}

type Found = [place: string, text: string];

async function answers(place: Place, people: HttpCaller[], paths: string[]): Promise<Found[]> {
  const found: Found[] = [];
  for (const person of people) {
    for (const page of paths) {
      for (const headers of [{}, { rsc: '1' }]) {
        const given = { ...headers, ...person.headers };
        const answer = await routerRequest(place.address, { path: page, headers: given });
        found.push([`answer ${page} to ${person.name}`, answer.body]);
      }
    }
    for (const format of ['csv', 'jsonl']) {
      const headers = { ...person.headers, ...fromOurPages(place.address) };
      const file = await rawRequest(place.address, {
        method: 'POST',
        path: `/audit/export?format=${format}`,
        headers,
      });
      found.push([`export ${format} to ${person.name}`, file.body]);
    }
  }
  return found;
}

async function tables(truth: LedgerTruth): Promise<Found[]> {
  const names = await truth.rows<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const found: Found[] = [];
  for (const { name } of names) {
    const rows = await truth.rows<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
    found.push([`table ${name}`, rows.map(({ text }) => text).join('\n')]);
  }
  return found;
}

/** The sandbox plays outsiders: what they log is theirs. */
function files(place: Place): Found[] {
  const inside = (folder: string, kind: RegExp) =>
    fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && kind.test(entry.name))
      .map((entry) => path.join(entry.parentPath, entry.name));
  return [
    ...inside(path.join(place.dataDir, 'logs'), /^(?!sandbox)/),
    ...inside(ARTEFACT, /\.(?:js|json|html|css)$/),
    path.join(place.dataDir, 'audit-checkpoints.jsonl'),
  ].map((file): Found => [`file ${path.basename(file)}`, fs.readFileSync(file, 'utf8')]);
}

test('PR-01 PR-05 secrets and personal content show up nowhere but where they belong', async ({
  product,
  truth,
}) => {
  const people: HttpCaller[] = [];
  for (const account of ['operator', 'manager', 'admin'])
    people.push(await signInByHttp(product.address, demoEmail(account)));
  const { id, markers } = await sensitiveExecution(product);
  markers.push(...secretsOf(product));
  for (const { name, headers } of people)
    markers.push({
      name: `session of ${name}`,
      text: headers['cookie']?.split('=')[1] ?? '',
      belongs: NOWHERE,
    });
  const found = [
    ...(await answers(product, people, await addresses(truth, id))),
    ...(await tables(truth)),
    ...files(product),
  ];
  expect(found.length).toBeGreaterThan(100);
  expect(
    found.some(([, text]) => text.includes(id)),
    'what is looked through holds the execution',
  ).toBe(true);
  for (const { name, text, belongs } of markers) {
    expect(text.length, name).toBeGreaterThan(8);
    const places = found.filter(([place, all]) => all.includes(text) && !belongs.test(place));
    expect
      .soft(
        places.map(([place]) => place),
        name,
      )
      .toEqual([]);
  }
  const logged = found.filter(([place]) => place.endsWith('.log'));
  expect.soft(logged.filter(([, text]) => /@demo\.local/.test(text)).map(([place]) => place)).toEqual([]);
});

/** Columns that no type may bring near a page. */
const NEVER = [
  'passwordHash',
  'secretDigest',
  'fieldHashes',
  'responseBody',
  'responseHeaders',
  'recipe',
  'linkDigest',
];

/** What the types that pages are given name, and the names of words: they are the list. */
function membersOfViews(): Set<string> {
  const domain = path.resolve(import.meta.dirname, '../lib/domain');
  const texts = (folder: string, kind: RegExp) =>
    fs
      .readdirSync(folder)
      .filter((name) => kind.test(name) && !name.includes('.test.'))
      .map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
  const types = texts(domain, /\.ts$/).flatMap((text) => [...text.matchAll(/^\s*(?:readonly )?(\w+)\??:/gm)]);
  const words = texts(path.join(domain, 'messages/en'), /\.json$/).flatMap((text) => [
    ...text.matchAll(/"(\w+)":/g),
  ]);
  return new Set([...types, ...words].map(([, name = '']) => name));
}

test('PR-02 pages send the members on the list and no other column of the database', async ({
  product,
  truth,
}) => {
  const { id } = await sensitiveExecution(product);
  const columns = await truth.rows<{ name: string }>(
    `SELECT DISTINCT attname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.relnamespace IN ('ledger'::regnamespace, 'review'::regnamespace) AND attnum > 0 AND c.relkind = 'r'`,
  );
  const spelled = columns.flatMap(({ name }) => [
    name,
    name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  ]);
  const people = [];
  for (const account of ['operator', 'manager', 'admin'])
    people.push(await signInByHttp(product.address, demoEmail(account)));
  const sent = new Map<string, string>();
  for (const [place, text] of await answers(product, people, await addresses(truth, id))) {
    if (!place.startsWith('answer') || place.startsWith('answer /docs')) continue;
    for (const [, key = ''] of text.matchAll(/"([A-Za-z_]\w*)":/g)) sent.set(key, place);
  }
  expect(sent.size).toBeGreaterThan(50);
  const listed = membersOfViews();
  expect(NEVER.filter((name) => sent.has(name))).toEqual([]);
  const extra = spelled.filter((name) => sent.has(name) && !listed.has(name));
  expect(
    [...new Set(extra)].map((name) => `${name}: ${sent.get(name)}`).sort(),
    'columns that pages send, and no type of lib/domain for pages names',
  ).toEqual([]);
});

test('PR-07 addresses, referrers and titles hold no secret and nothing about a person', async ({
  as,
  product,
  truth,
}) => {
  const { id } = await sensitiveExecution(product);
  const page = await as('manager');
  const told: string[] = [];
  page.on('request', (request) => told.push(request.url(), request.headers()['referer'] ?? ''));
  const people = await truth.rows<{ name: string; id: string }>(
    'SELECT display_name AS name, email AS id FROM review.people',
  );
  const secrets = secretsOf(product).map(({ text }) => text);
  for (const address of (await addresses(truth, id)).filter((each) => !each.startsWith('/admin'))) {
    const answer = await page.goto(address);
    expect(answer?.headers()['referrer-policy'], address).toBe('same-origin');
    told.push(await page.title());
  }
  expect(told.length).toBeGreaterThan(50);
  for (const text of told.map((each) => decodeURIComponent(each))) {
    expect(findSecrets(text), text).toEqual([]);
    expect(
      [...secrets, ...people.flatMap(({ name, id: mail }) => [name, mail])].filter((each) =>
        text.includes(each),
      ),
      text,
    ).toEqual([]);
  }
});
