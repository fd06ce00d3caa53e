// What a browser loads of a page's JavaScript before anything is pressed, from the build's own lists. Builtin modules only.
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from './toolchain.mjs';

const BUILD = path.join(ROOT, '.next');

/** Bytes, gzipped. What the framework itself loads is 129 KiB of it; the aim is 180 KiB, and the limit only goes down. */
const FIRST_LOAD_LIMIT = 201 * 1024;

const read = (relative) => fs.readFileSync(path.join(BUILD, relative), 'utf8');

/** The build's own list of what belongs to a page: a script that sets one member of a global. */
function entriesOf(page) {
  const script = read(`server/app${page}/page_client-reference-manifest.js`);
  const globals = {};
  // Our own build's file, given a global object of its own; the list exists in no form but this script.
  new Function('globalThis', script)(globals);
  const manifest = Object.values(globals.__RSC_MANIFEST ?? {})[0];
  if (manifest === undefined) throw new Error(`no list of what ${page} loads: the build's form has changed`);
  return manifest.entryJSFiles;
}

/**
 * @param {string} page as the build names it: `/(desk)/queue`
 * @returns {number} bytes, gzipped
 */
function firstLoad(page) {
  const { rootMainFiles } = JSON.parse(read('build-manifest.json'));
  const files = new Set([...rootMainFiles, ...Object.values(entriesOf(page)).flat()]);
  return [...files].reduce((sum, file) => sum + gzipSync(read(file)).length, 0);
}

/** @returns {{ ok: boolean, output: string }} */
export function checkFirstLoad() {
  const bytes = firstLoad('/(desk)/queue');
  const kib = (count) => `${(count / 1024).toFixed(1)} KiB`;
  const output = `/queue loads ${kib(bytes)} of JavaScript (gzipped) at first, of at most ${kib(FIRST_LOAD_LIMIT)}`;
  return { ok: bytes <= FIRST_LOAD_LIMIT, output };
}
