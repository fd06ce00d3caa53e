import { once as onceEvent } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLedgerClient, type OnceOutcome } from '@/lib/ledger/client';
import { DEMO_POLICIES } from '@/lib/sandbox/demo/policies';
import { producerApiUnderTest, type ProducerApiUnderTest } from '@/lib/testing/producer-api';

const ROOT = path.resolve(import.meta.dirname, '../..');
const [english, korean] = ['README.md', 'README.ko.md'].map((name) => connectBlocks(name)) as [
  Blocks,
  Blocks,
];

interface Blocks {
  readonly ts: string;
  readonly sh: string;
  readonly sql: string;
}

/** The examples of the section on connecting an automation: the first of each language that claims. */
function connectBlocks(file: string): Blocks {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  const block = (language: string, mark: string) =>
    [...text.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))]
      .map((match) => match[1] ?? '')
      .find((code) => code.includes(mark)) ?? '';
  return { ts: block('ts', 'once('), sh: block('sh', 'curl'), sql: block('sql', 'ledger.claim') };
}

let api: ProducerApiUnderTest;
let mail: http.Server;
let mailAddress: string;
const mails: string[] = [];

beforeAll(async () => {
  api = await producerApiUnderTest();
  mail = http.createServer((request, response) => {
    mails.push(String(request.headers['x-request-key']));
    response.writeHead(201, { 'Content-Type': 'application/json' }).end(`{"id":"MAIL-${mails.length}"}`);
  });
  mail.listen(0, '127.0.0.1');
  await onceEvent(mail, 'listening');
  mailAddress = `http://127.0.0.1:${(mail.address() as AddressInfo).port}`;
});
afterAll(async () => {
  mail.close();
  await api.close();
});

/** Runs the example as it stands, with the addresses of the test. */
async function runTypeScript(source: string): Promise<OnceOutcome> {
  const here = source
    .replace(/^import .*$/gm, '')
    .replace('http://127.0.0.1:3000', api.url)
    .replace('https://mail.example', mailAddress);
  const body = ts.transpile(`async function example() { ${here} return outcome; }`, {
    target: ts.ScriptTarget.ES2022,
  });
  // The example is the README's own text: it must run as it is printed, so it cannot be imported.
  const make = new Function('createLedgerClient', 'process', `${body} return example;`) as (
    create: typeof createLedgerClient,
    process: object,
  ) => () => Promise<OnceOutcome>;
  return make(createLedgerClient, { env: { ONCEOVER_TOKEN: api.tokens.north } })();
}

describe('connecting an automation, as the READMEs show it', () => {
  it('both languages show the same code', () => {
    expect(korean).toEqual(english);
  });

  it('no example uses an operation of the demo, whose connectors look in the demo’s own systems', () => {
    const code = ['README.md', 'README.ko.md', 'lib/ledger/README.md'].flatMap((name) =>
      [...readFileSync(path.join(ROOT, name), 'utf8').matchAll(/```(?:ts|sh|sql)\n([\s\S]*?)```/g)].map(
        ([, block = '']) => block,
      ),
    );
    const used = code.flatMap((block) =>
      [...block.matchAll(/operation"?(?:: ?| => )['"]([^'"]+)['"]/g)].map(([, name]) => name),
    );
    expect(used).toContain('acme-order-mail');
    for (const { operation } of DEMO_POLICIES) expect(used).not.toContain(operation);
  });

  it('the TypeScript has ten lines, sends one mail, and the second run gets the first one’s result', async () => {
    const statements = english.ts
      .split('\n')
      .filter((line) => line.trim() !== '' && !line.startsWith('import'));
    expect(statements.length).toBeLessThanOrEqual(10);
    expect(await runTypeScript(english.ts)).toMatchObject({
      kind: 'COMPLETED',
      execution: { resultId: 'MAIL-1' },
    });
    expect(await runTypeScript(english.ts)).toMatchObject({ kind: 'RESULT_REUSED', resultId: 'MAIL-1' });
    expect(mails).toEqual(['receipt-4711']);
  });

  /** Sends commands as curl would, one after the other; `$ID` is what the first one answered. */
  async function sendCommands(commands: readonly (string | undefined)[]): Promise<void> {
    let id = '';
    for (const command of commands) {
      const [, where = ''] = /^"\$U([^"]*)"/.exec(command ?? '') ?? [];
      const body = /-d '([\s\S]*?)'/.exec(command ?? '')?.[1];
      const key = /Idempotency-Key: ([^']*)'/.exec(command ?? '')?.[1];
      const answer = await api.send({
        method: 'POST',
        path: `/executions${where.replace('$ID', id)}`,
        body,
        key,
      });
      expect([200, 201], answer.text).toContain(answer.status);
      id ||= String(answer.body['executionId']);
    }
  }

  it('the curl commands claim, announce and complete, or tell that nobody knows', async () => {
    const commands = english.sh.split(/^curl /m).slice(1);
    expect(commands).toHaveLength(4);
    const [claim, announce, complete, unknown] = commands;
    await sendCommands([claim, announce, complete]);
    expect(await api.execution('receipt-4712')).toMatchObject({ state: 'SUCCEEDED', result_id: 'MAIL-2' });
    await sendCommands([claim?.replace('receipt-4712', 'receipt-4714'), announce, unknown]);
    expect(await api.execution('receipt-4714')).toMatchObject({ state: 'UNKNOWN' });
  });

  it('the SQL claims, announces and completes', async () => {
    const { role, url } = await api.db.producer();
    await api.db
      .pool('owner')
      .query(`update ledger.principals set login_role = $1 where principal_id = 'south'`, [role]);
    const producer = new pg.Client({ connectionString: url });
    await producer.connect();
    const statements = english.sql.split(';').filter((text) => text.trim() !== '');
    expect(statements).toHaveLength(3);
    let id = '';
    for (const statement of statements) {
      const text = statement.replace("'…'", `'${id}'`).replace(/SELECT ([\s\S]*)/, 'SELECT $1 AS answer');
      const { rows } = await producer.query<{
        answer: { code: string | null; execution: { executionId: string } };
      }>(text);
      expect(rows[0]?.answer.code, text).toBeNull();
      id ||= rows[0]!.answer.execution.executionId;
    }
    await producer.end();
    expect(await api.execution('receipt-4713')).toMatchObject({ state: 'SUCCEEDED', result_id: 'MAIL-3' });
  });
});
