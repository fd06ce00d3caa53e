import net from 'node:net';

/** Milliseconds without a byte after which nothing more is expected. */
const QUIET_MS = 1_500;

/** All that comes back for some bytes until the connection ends, or nothing more comes. */
export function exchangeBytes(address: string, bytes: string): Promise<string> {
  const { port, hostname } = new URL(address);
  return new Promise((resolve) => {
    let received = '';
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    socket.setTimeout(QUIET_MS, () => socket.destroy());
    socket.on('data', (data) => (received += data.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
  });
}

/** Requests that two readers may split differently; read the second way, each holds a request for `/api/ready`. */
export function splitRequests(host: string): Record<string, string> {
  const head = (...lines: string[]) =>
    [`POST /api/health HTTP/1.1`, `Host: ${host}`, ...lines, '', ''].join('\r\n');
  const smuggled = `GET /api/ready HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const chunk = `0\r\n\r\n${smuggled}`;
  return {
    'CL.TE': head(`Content-Length: ${chunk.length}`, 'Transfer-Encoding: chunked') + chunk,
    'TE.CL':
      head('Transfer-Encoding: chunked', 'Content-Length: 4') +
      `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
    'TE.TE': head('Transfer-Encoding: chunked', 'Transfer-Encoding: x') + chunk,
    'TE with a blank': head('Transfer-Encoding : chunked', `Content-Length: ${chunk.length}`) + chunk,
    'two lengths': head('Content-Length: 0', `Content-Length: ${smuggled.length}`) + smuggled,
    'a length with a sign': head(`Content-Length: +${smuggled.length}`) + smuggled,
    'a folded header': head('X: a', ` Content-Length: ${smuggled.length}`, 'Content-Length: 0') + smuggled,
    'a bare line feed': head('Content-Length: 0').replaceAll('\r\n', '\n') + smuggled,
  };
}

/** One that asks to go on in HTTP/2 without TLS. */
export const upgradeToH2c = (host: string): string =>
  [
    ...['GET /api/health HTTP/1.1', `Host: ${host}`, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c'],
    ...['HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA', 'Content-Length: 0', '', ''],
  ].join('\r\n');
