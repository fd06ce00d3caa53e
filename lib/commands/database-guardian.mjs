// The process that owns a running embedded database. It starts the server, keeps it up, and stops it as soon as the
// last user's connection is gone, however that user ended. It has a session of its own, so Ctrl-C does not reach it.
// usage: node database-guardian.mjs NAME < cluster as JSON
import { setTimeout as pause } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { holdAlone } from './exclusive.mjs';
import { looksAlive, startCluster, stopCluster } from './embedded-postgres.mjs';

const WATCH_MS = 500;
/** A guardian that nobody reached, because its starter died in between, must not stay. */
const FIRST_USER_MS = 15_000;

const name = process.argv[2];
const cluster = JSON.parse(await text(process.stdin));

for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined);

const users = new Set();
/** Users who have not been told the port yet. */
const waiting = new Set();
/** @type {{ message: object | null, stopping: boolean }} */
const state = { message: null, stopping: false };

const cancelled = () => state.stopping;

function tellPort() {
  for (const socket of waiting) socket.write(`${JSON.stringify(state.message)}\n`);
  waiting.clear();
}

function end(message) {
  if (state.stopping) return;
  state.stopping = true;
  state.message = message;
  // Synchronous, with the name still held: whoever asks meanwhile is cut off afterwards and asks again.
  stopCluster(cluster);
  for (const socket of users) socket.end(`${JSON.stringify(message)}\n`);
  setTimeout(() => process.exit(0), 50); // the last messages leave first
}

const leave = (socket) => {
  users.delete(socket);
  waiting.delete(socket);
  // Half-closed by a user who waits for the end of the server; while others use it, there is nothing to wait for.
  if (users.size > 0) socket.end();
  else if (state.message) end({ again: true });
};

const server = await holdAlone(name, (socket) => {
  users.add(socket);
  waiting.add(socket);
  socket.on('error', () => undefined);
  socket.on('data', () => undefined); // 'end' comes only on a stream that is read
  socket.once('end', () => leave(socket));
  socket.once('close', () => users.has(socket) && leave(socket));
  // A server that has just died is started again first.
  if (state.message && looksAlive(cluster)) tellPort();
});
if (!server) process.exit(0); // another guardian was first

process.on('SIGTERM', () => end({ error: 'the database was told to stop' }));

async function watch(port) {
  for (;;) {
    await pause(WATCH_MS);
    if (state.stopping) return;
    if (!looksAlive(cluster)) await startCluster(cluster, { port, cancelled });
    tellPort();
  }
}

try {
  const port = await startCluster(cluster, { cancelled });
  state.message = { port };
  tellPort();
  setTimeout(() => users.size === 0 && end({ again: true }), FIRST_USER_MS);
  await watch(port);
} catch (error) {
  end({ error: error.message });
}
