// A real nginx before the product, configured by the very text that OPERATIONS.md gives to operators.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { ROOT, run } from '@/lib/commands/toolchain.mjs';
import { poll } from './poll';
import { rawRequest } from './raw-request';

const FOLDER = path.join(ROOT, '.data/nginx');
/** Debian's own, unpacked beside our data when there is none: nothing is installed, and no service starts. */
const UNPACKED = path.join(FOLDER, 'usr/sbin/nginx');

const present = () =>
  [process.env['NGINX_PATH'], '/usr/sbin/nginx', UNPACKED].find((file) => file && fs.existsSync(file));

async function nginx(): Promise<string> {
  const found = present();
  if (found) return found;
  fs.mkdirSync(FOLDER, { recursive: true });
  const fetch = 'cd "$0" && apt-get update -qq && apt-get download -qq nginx && dpkg-deb -x nginx_*.deb .';
  const { output } = await run('sh', ['-c', fetch, FOLDER], { quiet: true });
  const unpacked = present();
  if (unpacked) return unpacked;
  throw new Error(`No reverse proxy for the tests: name an nginx with NGINX_PATH.\n${output.slice(-1500)}`);
}

/** The operators' text for these ports: names and TLS are ours, everything else stays as it is written. */
function configuration({ folder, port, upstream }: ProxyPlace): string {
  const manual = fs.readFileSync(path.join(ROOT, 'OPERATIONS.md'), 'utf8');
  const text = /```nginx\n([\s\S]*?)```/.exec(manual)?.[1] ?? '';
  const servers = text
    .replaceAll('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replaceAll(/^ *ssl_.*\n/gm, '')
    .replace('server_name desk.example.org', 'server_name 127.0.0.1')
    .replaceAll('desk.example.org', `127.0.0.1:${port}`)
    .replace('http://127.0.0.1:3000', `http://127.0.0.1:${upstream}`);
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr; events {}
    http { access_log off; ${places.join(' ')}\n${servers} }`;
}

interface ProxyPlace {
  folder: string;
  port: number;
  /** Where the product listens. */
  upstream: number;
}

/** Starts it, and answers how it is stopped; it dies with this process. */
export async function startReverseProxy(place: ProxyPlace): Promise<() => Promise<void>> {
  fs.mkdirSync(place.folder, { recursive: true });
  const file = path.join(place.folder, 'nginx.conf');
  fs.writeFileSync(file, configuration(place));
  const program = await nginx();
  const args = ['--pdeathsig', 'KILL', program, '-p', place.folder, '-c', file, '-e', 'stderr'];
  const child = spawn('setpriv', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await poll('the reverse proxy to answer', async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}:\n${said}`);
    return rawRequest(`http://127.0.0.1:${place.port}`, { path: '/' }).catch(() => null);
  });
  return async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGQUIT');
    await once(child, 'exit');
  };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
