// Debian packages that the tests need beside what npm brings; needs root and apt.
import { run } from './toolchain.mjs';

/**
 * @param {string[]} names
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export async function installPackages(names) {
  const quiet = { env: { DEBIAN_FRONTEND: 'noninteractive' }, quiet: true };
  await run('apt-get', ['update', '-qq'], quiet);
  return run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], quiet);
}

/** `ip` and `unshare`, by which a test makes a network of its own. */
export async function prepareNetwork() {
  const { ok } = await run('sh', ['-c', 'command -v ip && command -v unshare'], { quiet: true });
  if (ok) return;
  const { ok: installed, output } = await installPackages(['iproute2', 'util-linux']);
  if (!installed)
    throw new Error(`No network for the tests of outside calls: install iproute2.\n${output.slice(-1500)}`);
}
