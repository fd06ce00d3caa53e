// DATA_DIR: everything that an installation with the embedded database keeps on this machine.
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './toolchain.mjs';

/** Where the folder is or would be: `.data` in the checkout unless the environment says otherwise. */
export const dataDirPlace = () => path.resolve(ROOT, process.env.DATA_DIR || '.data');

/** The folder, made when it is missing. */
export function dataDir() {
  const folder = dataDirPlace();
  fs.mkdirSync(folder, { recursive: true });
  return fs.realpathSync(folder);
}

/** Writes a file that only its owner may read, whole or not at all. */
export function writePrivate(file, content) {
  const draft = `${file}.${process.pid}.tmp`;
  fs.writeFileSync(draft, content, { mode: 0o600 });
  fs.renameSync(draft, file);
}

/**
 * The content of a private file; made by `make` when it does not exist. Of two processes that come at once, both get
 * the content of the one that was first.
 * @param {string} file
 * @param {() => string} make
 * @returns {string}
 */
export function keepPrivate(file, make) {
  if (!fs.existsSync(file)) {
    const draft = `${file}.${process.pid}.tmp`;
    fs.writeFileSync(draft, make(), { mode: 0o600 });
    try {
      fs.linkSync(draft, file); // unlike rename, never replaces
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    } finally {
      fs.rmSync(draft, { force: true });
    }
  }
  return fs.readFileSync(file, 'utf8');
}

/** 256 random bits as text for addresses, headers and SQL literals. */
export const randomSecret = () => crypto.randomBytes(32).toString('base64url');

/** A named secret of this installation, made at its first use. */
export const keptSecret = (folder, name) =>
  keepPrivate(path.join(folder, name), () => `${randomSecret()}\n`).trim();
