// What of the build is handed to production: what serving needs, and nothing of tests, maps or settings.
import fs from 'node:fs';
import path from 'node:path';

/** Folders of packages that the framework copies along and nothing loads. */
const ASIDE_FOLDER = /^(?:tests?|__tests__|benchmarks?|bench|examples?)$/;
const ASIDE_FILE = /\.map$|\.(?:test|spec)\.[cm]?[jt]sx?$|^\.env|\.(?:pem|key)$/;
/** Of our own, none of which is served. */
const OURS_ASIDE = /^(?:e2e|prisma|\.data|\.git|lib\/(?:testing|commands|sandbox))(?:\/|$)/;

/**
 * Names of what does not belong into the artefact, relative to its folder.
 * @param {string} folder
 * @returns {string[]}
 */
export function strangersIn(folder) {
  const found = [];
  const walk = (relative) => {
    for (const entry of fs.readdirSync(path.join(folder, relative), { withFileTypes: true })) {
      const name = relative === '' ? entry.name : `${relative}/${entry.name}`;
      const inPackage = name.includes('node_modules/');
      const aside = entry.isDirectory()
        ? inPackage && ASIDE_FOLDER.test(entry.name)
        : ASIDE_FILE.test(entry.name);
      if (aside || OURS_ASIDE.test(name)) found.push(name);
      else if (entry.isDirectory()) walk(name);
    }
  };
  walk('');
  return found.sort();
}

/**
 * Takes them out.
 * @param {string} folder
 */
export function tidyArtefact(folder) {
  for (const name of strangersIn(folder)) fs.rmSync(path.join(folder, name), { recursive: true });
}
