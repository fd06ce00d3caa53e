// Ways in which the lookup engine could be wrong, to see that the suite would notice. The workers run from a tree of their
// own in which one piece of text is replaced; the checkout is never touched.
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '@/lib/commands/toolchain.mjs';

interface EvidenceMutant {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export const EVIDENCE_MUTANTS = {
  /** "Not there" proves something from the first moment on. */
  'zero-horizon': {
    file: 'lib/domain/evidence.ts',
    find: 'const usableFrom = new Date(after(latestArrival, input.visibilityDelaySeconds).getTime() + 1);',
    replace: 'const usableFrom = input.createdAt;',
  },
  /** A thing of another account counts as ours. */
  'account-not-compared': {
    file: 'lib/domain/lookup-finding.ts',
    find: 'accountMatch: subject.account === null ? true : accountLine.agrees,',
    replace: 'accountMatch: true,',
  },
  /** Of several effects the first one counts. */
  'first-of-two': {
    file: 'lib/domain/lookup-finding.ts',
    find: 'if (standing.length > 1)',
    replace: 'if (standing.length > 99)',
  },
  /** What is under way counts as done. */
  'pending-is-done': {
    file: 'lib/domain/lookup-finding.ts',
    find: 'return listed[0] ?? null;',
    replace: "return listed[0] === 'pending' ? 'done' : (listed[0] ?? null);",
  },
} as const satisfies Record<string, EvidenceMutant>;

export type EvidenceMutantName = keyof typeof EVIDENCE_MUTANTS;

export const EVIDENCE_MUTANT_NAMES = Object.keys(EVIDENCE_MUTANTS) as EvidenceMutantName[];

export const isEvidenceMutant = (name: string): name is EvidenceMutantName =>
  Object.hasOwn(EVIDENCE_MUTANTS, name);

/** A copy of the product's code with one piece replaced; answers its folder, the caller's to remove. */
export function breakTree(name: EvidenceMutantName): string {
  const { file, find, replace } = EVIDENCE_MUTANTS[name];
  const folder = mkdtempSync(path.join(tmpdir(), 'onceover-broken-'));
  cpSync(path.join(ROOT, 'lib'), path.join(folder, 'lib'), { recursive: true });
  for (const each of ['package.json', 'tsconfig.json'])
    cpSync(path.join(ROOT, each), path.join(folder, each));
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  const target = path.join(folder, file);
  const text = readFileSync(target, 'utf8');
  if (text.split(find).length !== 2) throw new Error(`the mutant ${name} does not fit ${file}`);
  writeFileSync(
    target,
    text.replace(find, () => replace),
  );
  return folder;
}
