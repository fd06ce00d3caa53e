// Preloaded into every child: the ipc channel to the parent breaks when the parent is gone, kill -9 included.
/** Milliseconds for an orderly end. */
const PATIENCE_MS = 8_000;

if (process.channel) {
  process.channel.unref();
  process.once('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), PATIENCE_MS).unref();
  });
}
