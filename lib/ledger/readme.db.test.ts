import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { producerApiUnderTest, type ProducerApiUnderTest } from '@/lib/testing/producer-api';

const README = readFileSync(`${import.meta.dirname}/README.md`, 'utf8');

function blocks(language: string): string[] {
  return [...README.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    (match) => match[1] ?? '',
  );
}

let api: ProducerApiUnderTest;
beforeAll(async () => {
  api = await producerApiUnderTest();
});
afterAll(() => api.close());

describe('the examples of the README', () => {
  it('every SQL example runs as a producer, and says what the README says', async () => {
    const { role, url } = await api.db.producer();
    await api.db
      .pool('owner')
      .query(`update ledger.principals set login_role = $1 where principal_id = 'south'`, [role]);
    const producer = new pg.Client({ connectionString: url });
    await producer.connect();
    const run = async (text: string) =>
      (
        await producer.query<{ answer: { code: string | null; execution: { executionId: string } } }>(
          text.replace(/^SELECT (.*);?$/s, 'SELECT $1 AS answer'),
        )
      ).rows[0]!.answer;
    const claim = async (key: string) =>
      (await run(`SELECT ledger.claim('create-order', '${key}', 'sha256:${'0'.repeat(64)}')`)).execution
        .executionId;

    const examples = (blocks('sql')[1] ?? '')
      .replace(/--.*$/gm, '')
      .split(';')
      .map((text) => text.trim())
      .filter((text) => text !== '');
    expect(examples).toHaveLength(8);
    for (const [index, example] of examples.entries()) {
      const id = example.includes("'…'") ? await claim(`readme-${index}`) : '';
      if (/fail|report_unknown|complete/.test(example)) await run(`SELECT ledger.effect_started('${id}', 1)`);
      expect(await run(example.replace("'…'", `'${id}'`)), example).toMatchObject({ code: null });
    }
    await producer.end();
  });

  it('no two ways of doing it give one result twice: that would be a mismatch', () => {
    for (const readme of [README, readFileSync('README.md', 'utf8')]) {
      const results = [...readme.matchAll(/```(?:sh|sql)\n([\s\S]*?)```/g)].map(
        ([, block = '']) =>
          new Set([...block.matchAll(/(?:"resultId":\s*"|result_id => ')([^"']+)/g)].map(([, id]) => id)),
      );
      const given = results.flatMap((ids) => [...ids]);
      expect(given.length).toBeGreaterThan(1);
      expect(new Set(given).size).toBe(given.length);
    }
  });

  it('every signature is the one in the database', async () => {
    const { rows } = await api.db.pool('owner').query<{ name: string; args: string }>(
      `select p.proname as name, pg_get_function_arguments(p.oid) as args from pg_proc p
       where p.pronamespace = 'ledger'::regnamespace and has_function_privilege('onceover_producer', p.oid, 'execute')
         and p.proname in ('claim', 'effect_started', 'heartbeat', 'complete', 'fail', 'report_unknown', 'cancel')`,
    );
    const listed = (blocks('sql')[0] ?? '').replace(/\s+/g, ' ');
    for (const { name, args } of rows) {
      const plain = args.replace(/ DEFAULT [^,]+/g, '').replaceAll('timestamp with time zone', 'timestamptz');
      expect(listed).toContain(`ledger.${name}(${plain}) returns jsonb`);
    }
    expect(rows).toHaveLength(7);
  });

  it('every curl example is accepted', async () => {
    const commands = (blocks('sh')[0] ?? '').split(/^curl /m).slice(1);
    const [claim, ...others] = commands.map((command) => /^(?:-i )?"\$U([^"]*)"([\s\S]*)$/.exec(command));
    const send = (path: string, rest: string) => {
      const body = /-d '([\s\S]*?)'/.exec(rest)?.[1];
      const key = /Idempotency-Key: ([^']*)'/.exec(rest)?.[1];
      return api.send({ method: body === undefined ? 'GET' : 'POST', path, body, key });
    };
    const first = await send(claim?.[1] ?? '', claim?.[2] ?? '');
    expect(first.body, first.text).toMatchObject({ disposition: 'CLAIMED' });
    expect(others.length).toBe(13);
    for (const [index, command] of others.entries()) {
      const [, path = '', rest = ''] = command ?? [];
      const isReport = path.startsWith('/executions/$ID/');
      const fresh = isReport
        ? (await api.claim(`readme-curl-${index}`)).body['executionId']
        : first.body['executionId'];
      const answer = await send(path.replace('$ID', String(fresh)), rest);
      expect([200, 202], `${path} ${answer.text}`).toContain(answer.status);
    }
  });
});
