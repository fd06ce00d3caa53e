// A Vite plugin that loads one module with one piece of its text replaced, in memory: the file itself is never touched.
import path from 'node:path';
import type { Plugin } from 'vite';

/** The mutant comes as JSON in ONCEOVER_MUTANT: `{ file, find, replace }`. Without it nothing happens. */
export function mutateModule(root: string, json: string | undefined): Plugin {
  const mutant = json ? (JSON.parse(json) as { file: string; find: string; replace: string }) : null;
  return {
    name: 'onceover-mutate-module',
    enforce: 'pre',
    transform(code, id) {
      if (!mutant || path.relative(root, id.split('?')[0] ?? id) !== mutant.file) return null;
      if (code.split(mutant.find).length !== 2) throw new Error(`The mutant does not fit ${mutant.file}`);
      return { code: code.replace(mutant.find, () => mutant.replace), map: null };
    },
  };
}
