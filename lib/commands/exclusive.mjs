// Things of which only one process may exist. A listening local socket is the lock: the kernel drops it with its
// process, kill -9 included, so nothing stale can stay behind.
import crypto from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

/**
 * The socket address for a name. On Linux it is an abstract one, which has no file.
 * @param {string} name anything; equal names exclude each other
 */
export function addressOf(name) {
  const digest = crypto.createHash('sha256').update(name).digest('hex').slice(0, 24);
  return process.platform === 'linux'
    ? `\0onceover-${digest}`
    : path.join(os.tmpdir(), `onceover-${digest}.sock`);
}

const listen = (address, onConnection) =>
  new Promise((resolve, reject) => {
    const server = net.createServer({ allowHalfOpen: true }, onConnection);
    server.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(null) : reject(error)));
    server.listen(address, () => resolve(server));
  });

/**
 * Becomes the only holder of the name.
 * @param {string} name
 * @param {(socket: net.Socket) => void} onConnection called for each process that asks
 * @returns {Promise<net.Server | null>} null when another process holds it
 */
export async function holdAlone(name, onConnection) {
  const address = addressOf(name);
  const server = await listen(address, onConnection);
  if (server || address.startsWith('\0')) return server;
  // A socket file outlives a killed holder; one that refuses connections has no holder.
  const holder = await connectTo(name);
  holder?.destroy();
  if (holder) return null;
  fs.rmSync(address, { force: true });
  return listen(address, onConnection);
}

/**
 * A connection to the holder of the name, or null when there is none.
 * @param {string} name
 * @returns {Promise<net.Socket | null>}
 */
export function connectTo(name) {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ path: addressOf(name), allowHalfOpen: true });
    socket.once('connect', () => resolve(socket));
    socket.once('error', (error) =>
      // Reset: it was in the holder's queue when the holder ended.
      ['ECONNREFUSED', 'ENOENT', 'ECONNRESET'].includes(error.code) ? resolve(null) : reject(error),
    );
  });
}

/**
 * The first line that the other side sends, as JSON; null when it ends without one.
 * @param {net.Socket} socket
 */
export function readMessage(socket) {
  return new Promise((resolve) => {
    let text = '';
    const done = (value) => {
      socket.off('data', onData);
      socket.off('end', onEnd);
      socket.off('close', onEnd);
      resolve(value);
    };
    const onData = (chunk) => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end >= 0) done(JSON.parse(text.slice(0, end)));
    };
    const onEnd = () => done(null);
    socket.on('data', onData);
    socket.once('end', onEnd);
    socket.once('close', onEnd);
    socket.on('error', () => undefined); // a holder that is killed resets the connection: 'close' follows
  });
}

/**
 * Runs `work` while no other process runs work of this name; waits for its turn.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function inTurn(name, work) {
  for (;;) {
    const waiting = new Set();
    const lock = await holdAlone(name, (socket) => {
      waiting.add(socket);
      socket.on('error', () => undefined);
    });
    if (lock) {
      try {
        return await work();
      } finally {
        lock.close();
        for (const socket of waiting) socket.destroy();
      }
    }
    const holder = await connectTo(name);
    if (holder) await readMessage(holder); // it says nothing; the connection ends with its turn
    holder?.destroy();
  }
}
