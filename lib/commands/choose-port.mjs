import net from 'node:net';
import { holdAlone } from './exclusive.mjs';

/** Ports tried above the default one. */
const SEARCH = 50;

const isFree = (port, host) =>
  new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', (error) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(new Error(`Cannot listen on ${host}:${port}: ${error.message}`));
    });
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });

/** Keeps other starts on this machine from choosing the port while our server is not yet listening. */
export const reservePort = async (port) =>
  (await holdAlone(`port ${port}`, (socket) => socket.on('error', () => undefined).destroy())) !== null;

/**
 * The port to serve on: the one asked for or an error that names it, else the first free one from 3000 on.
 * @param {{ given?: string, host: string, first?: number, reserve?: (port: number) => Promise<boolean> }} wish
 *   `given` is the PORT variable as it came; `reserve` says no to a port that somebody else is about to use
 * @returns {Promise<{ port: number, note: string | null }>} a note when it is not the expected port
 */
export async function choosePort({ given, host, first = 3000, reserve = async () => true }) {
  if (given) {
    const port = Number(given);
    if (!/^\d{1,5}$/.test(given) || port < 1 || port > 65_535) {
      throw new Error(`PORT must be a number from 1 to 65535, not "${given}".`);
    }
    if ((await isFree(port, host)) && (await reserve(port))) return { port, note: null };
    throw new Error(`Port ${port} is taken by another program: give another PORT.`);
  }
  for (let port = first; port < first + SEARCH; port += 1) {
    if (!(await isFree(port, host)) || !(await reserve(port))) continue;
    return {
      port,
      note: port === first ? null : `Port ${first} is taken by another program: using ${port}.`,
    };
  }
  throw new Error(`No free port from ${first} to ${first + SEARCH - 1}: give one with PORT.`);
}
