import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ACCESS_POLICY } from '@/lib/access/access-policy';
import { serverActionsOf } from '@/lib/testing/server-actions';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Actions that have a way of their own, and why. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'app/login/password/actions.ts choosePasswordAction':
    'outside of the desk, and works before scripts load: it asks for the session itself, and for the present password where there is one',
};

const modules = ['app', 'components', 'lib'].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|(^|\/)generated\//.test(name))
    .map((name) => path.join(folder, name)),
);
const actions = modules.flatMap((file) => {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  if (!text.includes('use server')) return [];
  return serverActionsOf(text).map((action) => ({ ...action, place: `${file} ${action.name}` }));
});

const PREFACE = `'use server';\nimport { pageAct, settlePageAct } from '@/lib/review/page-act';\n`;
const isThrough = (text: string) => serverActionsOf(text).map(({ throughPageAct }) => throughPageAct);

describe('the server actions of the product', () => {
  it('R-078o each hands its input to pageAct and does nothing else, but for those named with a reason', () => {
    const around = actions.filter(({ throughPageAct }) => !throughPageAct).map(({ place }) => place);
    expect(around).toEqual(Object.keys(OTHERWISE));
  });

  it('R-078o all are looked at that the policy of access names', () => {
    const named = Object.entries(ACCESS_POLICY.actions).flatMap(([file, of]) =>
      Object.keys(of).map((name) => `${file} ${name}`),
    );
    expect(actions.map(({ place }) => place).sort()).toEqual(named.sort());
  });

  it.each<[string, string]>([
    ['asks for nobody', `export async function a(input: unknown) { return comment(input); }`],
    [
      'does something first',
      `export async function a(input: unknown) { await tell(); return pageAct(b, input); }`,
    ],
    [
      'keeps the input from it',
      `export async function a(input: unknown) { return pageAct((c) => b(c, input), null); }`,
    ],
    ['is a constant', `export const a = async (input: unknown) => comment(input);`],
    ['comes from elsewhere', `export { comment } from './comment';`],
    ['is the default', `export default async function a(input: unknown) { return comment(input); }`],
  ])('R-078o one that %s is found', (_, text) => {
    expect(isThrough(PREFACE + text)).toEqual([false]);
  });

  it('R-078o one by a function of the same name, or within a component, is found', () => {
    const own = `'use server';\nimport { pageAct } from './mine';\n`;
    expect(isThrough(`${own}export async function a(input: unknown) { return pageAct(b, input); }`)).toEqual([
      false,
    ]);
    const within = `export function Page() {
      async function press(form: FormData) { 'use server'; await comment(form); }
      return <form action={press} />;
    }`;
    expect(isThrough(within)).toEqual([false]);
    expect(
      isThrough(`${PREFACE}export async function a(id: string) { return settlePageAct(id); }
        export type Answer = string;`),
    ).toEqual([true]);
  });
});
