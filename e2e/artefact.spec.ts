import fs from 'node:fs';
import path from 'node:path';
import { strangersIn } from '@/lib/commands/artefact.mjs';
import { demoEmail } from '@/lib/commands/demo-accounts';
import { findLeaks } from '@/lib/commands/secret-scan';
import { expect } from './desk';
import { signInByHttp } from './http-person';
import { testWithOwnProduct } from './own-product';
import { poll } from './poll';
import { databaseUrl, NOBODY, productionSettings, randomSecret, startProductionAs } from './production-start';
import { rawRequest } from './raw-request';
import { freePort } from './reverse-proxy';

const test = testWithOwnProduct('artefact');

const ARTEFACT = path.resolve(import.meta.dirname, '../.next/standalone');

/** Of everything that production gets and browsers can ask for. */
function* texts(folder: string): Generator<[string, string]> {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && /\.(?:[cm]?js|json|html|css|txt|rsc)$/.test(entry.name))
      yield [path.relative(ARTEFACT, file), fs.readFileSync(file, 'utf8')];
  }
}

test('SC-04 production gets what serving needs: no tests, maps, settings or programs of ours', () => {
  expect(fs.existsSync(path.join(ARTEFACT, 'server.js')), 'the build is there').toBe(true);
  expect(strangersIn(ARTEFACT)).toEqual([]);
  expect(strangersIn(path.resolve(ARTEFACT, '../static'))).toEqual([]);
  const mapped = [...texts(path.join(ARTEFACT, '.next'))]
    .filter(([, text]) => /^\/\/# sourceMappingURL=data:/m.test(text))
    .map(([file]) => file);
  expect(mapped, 'maps inside of files').toEqual([]);
});

test('SC-05 the build holds no secret and no account of the demo', () => {
  let files = 0;
  for (const [file, text] of texts(path.join(ARTEFACT, '.next'))) {
    files += 1;
    expect(findLeaks(text), file).toEqual([]);
    for (const account of [demoEmail('operator'), demoEmail('admin'), 'Olivia Operator'])
      expect(text.includes(account), `${account} in ${file}`).toBe(false);
  }
  expect(files).toBeGreaterThan(50);
});

/** Every file of the artefact with its size and the time of its last change. */
const state = () =>
  fs
    .readdirSync(ARTEFACT, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const { size, mtimeMs } = fs.statSync(file);
      return `${path.relative(ARTEFACT, file)} ${size} ${mtimeMs}`;
    })
    .sort();

/** Of the artefact, the folders included. */
const writableBy = (user: number) =>
  [
    ARTEFACT,
    ...fs.readdirSync(ARTEFACT, { recursive: true }).map((name) => path.join(ARTEFACT, String(name))),
  ].filter((file) => {
    const { mode, uid } = fs.lstatSync(file);
    return !fs.lstatSync(file).isSymbolicLink() && (uid === user || (mode & 0o002) !== 0);
  });

/** The process and all below it. */
function family(pid: number): number[] {
  const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return [pid, ...children.filter(Boolean).flatMap((child) => family(Number(child)))];
}

const userOf = (pid: number) =>
  Number(/^Uid:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

test('SC-04 production serves as a user who can write nothing of the artefact, and leaves it as it was', async ({
  product,
}) => {
  expect(process.getuid?.(), 'only root can start a program as somebody else').toBe(0);
  expect(writableBy(NOBODY)).toEqual([]);
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const before = state();
  const started = startProductionAs(NOBODY, product, productionSettings(product, port));
  await started.ready();
  await poll('server and worker', () => family(started.child.pid ?? 0).length >= 3);
  expect(family(started.child.pid ?? 0).map(userOf)).toEqual(
    family(started.child.pid ?? 0).map(() => NOBODY),
  );

  await poll('the start to be ready', async () => {
    const { status } = await rawRequest(address, { path: '/api/ready' }).catch(() => ({ status: 0 }));
    return status === 200;
  });
  const { headers } = await signInByHttp(address, demoEmail('manager'));
  for (const [where, status] of [
    ['/login', 307],
    ['/queue', 200],
    ['/audit', 200],
    ['/nothing', 404],
    ['/docs', 200],
    ['/api/v1/openapi.json', 200],
  ] as const) {
    const answer = await rawRequest(address, { path: where, headers });
    expect(answer.status, where).toBe(status);
  }
  const page = await rawRequest(address, { path: '/queue', headers });
  const script = /\/_next\/static\/[^"\\]+\.js/.exec(page.body)?.[0] ?? '';
  expect((await rawRequest(address, { path: script })).status).toBe(200);

  started.child.kill('SIGTERM');
  expect(await started.ended()).toBe(0);
  expect(started.said()).not.toMatch(/EACCES|EROFS|EPERM/);
  expect(state()).toEqual(before);
});

test('SC-06 production does not start with weak settings, and says why without their values', async ({
  product,
}) => {
  const port = await freePort();
  const good = productionSettings(product, port);
  const wrong = good.DATABASE_URL.replace(/:[^:@]*@/, ':canary@');
  const weak: [Record<string, string>, string][] = [
    [{ NEXTAUTH_SECRET: '' }, 'NEXTAUTH_SECRET is not set'],
    [{ NEXTAUTH_SECRET: 'canary-4711' }, 'NEXTAUTH_SECRET is weak'],
    [{ FIELD_HASH_KEY: 'canary-4711' }, 'FIELD_HASH_KEY is weak'],
    [{ NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: randomSecret().slice(0, 20) }, 'ENCRYPTION_KEY is weak'],
    [{ NEXTAUTH_URL: 'http://desk.canary.test' }, 'NEXTAUTH_URL must be https'],
    [{ DATABASE_URL: databaseUrl(product, 'onceover_owner') }, 'owns the schemas'],
    [{ DATABASE_WORKER_URL: databaseUrl(product, 'postgres') }, 'owns the schemas'],
    [{ DATABASE_URL: wrong }, 'cannot be reached'],
    [{ NODE_DEBUG: 'http' }, 'NODE_DEBUG is set for debugging'],
    [{ NODE_ENV: 'development' }, 'NODE_ENV is set for debugging'],
    [{ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, 'NODE_TLS_REJECT_UNAUTHORIZED is set for debugging'],
  ];
  const user = process.getuid?.() === 0 ? NOBODY : Number(process.getuid?.());
  for (const [change, words] of weak) {
    const started = startProductionAs(user, product, { ...good, ...change });
    const code = await started.ended();
    expect([code, started.said()], words).toEqual([1, expect.stringContaining(words)]);
    const values = Object.entries(change).flatMap(([name, value]) =>
      value !== '' && /SECRET|KEY|DATABASE/.test(name) ? [value] : [],
    );
    for (const value of values) expect(started.said(), words).not.toContain(value);
    expect(started.said()).not.toMatch(/canary-4711|:canary@/);
  }
  await expect(rawRequest(good.NEXTAUTH_URL, { path: '/' })).rejects.toThrow('ECONNREFUSED');
});
