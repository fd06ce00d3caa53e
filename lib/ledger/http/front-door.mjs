// What the HTTP parser and frameworks would answer barely, answered as problem+json like everything else. Plain
// JavaScript, because the web server loads it before its own program; front-door.test.ts holds its words to the codes'.

/** Methods that reach a handler; frameworks refuse the others without a word. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The few problems that can be told before a request is one. */
export const PROBLEMS = {
  INVALID_REQUEST: { status: 400, title: 'The request is malformed' },
  NOT_FOUND: { status: 404, title: 'There is nothing here that this token may see' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'This address does not support the method' },
  REQUEST_TIMEOUT: { status: 408, title: 'The request did not arrive in time' },
  HEADERS_TOO_LARGE: { status: 431, title: 'The headers of the request are too large' },
};

/** @typedef {{ code: keyof typeof PROBLEMS, detail: string, headers?: Record<string, string> }} Refusal */

/**
 * Why a request cannot be handed on, or null. Only addresses of the API are judged by their form; pages have their own
 * way of saying so.
 * @param {{ method?: string, url?: string, httpVersion?: string, headers: { host?: string } }} request
 * @returns {Refusal | null}
 */
export function refusalOf({ method = 'GET', url = '/', httpVersion = '1.1', headers }) {
  // HTTP/1.0, which some health checks still speak, knows no Host.
  const host = headers.host ?? (httpVersion === '1.0' ? 'localhost' : undefined);
  if (host === undefined || !isHost(host)) return invalid('The Host header is missing or malformed.');
  const [path = ''] = (url.startsWith('/') ? url : pathOf(url)).split(/[?#]/);
  if (path === '') return invalid('The request has no address.');
  if (!/^[/\\]api[/\\]/.test(path)) return null;
  if (!METHODS.includes(method)) {
    return { code: 'METHOD_NOT_ALLOWED', detail: 'Use GET or POST.', headers: { Allow: 'GET, HEAD, POST' } };
  }
  if (!isPercentEncoded(url)) return invalid('The address is not percent-encoded UTF-8.');
  if (/[/\\]{2}|\\/.test(path)) return { code: 'NOT_FOUND', detail: 'There is nothing at this address.' };
  return null;
}

/** @param {string} detail @returns {Refusal} */
const invalid = (detail) => ({ code: 'INVALID_REQUEST', detail });

/** @param {string} host */
function isHost(host) {
  return !/[\s/\\?#@]/.test(host) && URL.canParse(`http://${host}/`);
}

/** The path of an absolute address; empty when it is none. @param {string} url */
function pathOf(url) {
  return /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).pathname : '';
}

/** @param {string} url */
function isPercentEncoded(url) {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

/** @param {Refusal} refusal */
function problemOf({ code, detail, headers = {} }) {
  const { status, title } = PROBLEMS[code];
  const type = `urn:problem-type:onceover:${code.toLowerCase().replaceAll('_', '-')}`;
  return {
    status,
    body: JSON.stringify({ type, title, status, detail, code }),
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      Connection: 'close',
      ...headers,
    },
  };
}

/** @type {Record<string, Refusal>} */
const BROKEN = {
  HPE_HEADER_OVERFLOW: { code: 'HEADERS_TOO_LARGE', detail: 'Line and headers may have 16 KiB together.' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'REQUEST_TIMEOUT',
    detail: 'The request did not arrive whole in time. Nothing was executed; repeat it with the same key.',
  },
};

/**
 * What came is no HTTP request, so there is no response object: the answer is written to the socket.
 * @param {Error & { code?: string }} error
 * @param {import('node:stream').Duplex & { _httpMessage?: { headersSent: boolean } }} socket
 */
function answerBroken(error, socket) {
  // An answer that has begun must not get a second one inside (Node's own rule for its bare answer).
  if (!socket.writable || error.code === 'ECONNRESET' || socket._httpMessage?.headersSent === true) {
    socket.destroy();
    return;
  }
  const { status, body, headers } = problemOf(
    BROKEN[error.code ?? ''] ?? invalid('What was sent is not an HTTP request.'),
  );
  const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body) });
  socket.end(
    `HTTP/1.1 ${status} Problem\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
}

/**
 * What a framework would refuse or redirect: no host, an address in its absolute form, headers of page navigation.
 * @param {{ url: string, headers: Record<string, unknown> }} request
 */
function prepare(request) {
  request.headers['host'] ??= 'localhost';
  if (!request.url.startsWith('/')) {
    const { pathname, search } = new URL(request.url);
    request.url = pathname + search;
  }
  if (!request.url.startsWith('/api/')) return;
  for (const name of Object.keys(request.headers)) {
    if (name === 'rsc' || name.startsWith('next-')) delete request.headers[name];
  }
}

/** @param {import('node:http').ServerResponse} response @param {Refusal} refusal @param {string | undefined} method */
function answer(response, refusal, method) {
  const { status, body, headers } = problemOf(refusal);
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
  response.end(method === 'HEAD' ? undefined : body);
}

/** Puts the door before a server: its handler sees requests only that it can answer. @param {import('node:http').Server} server */
export function guardServer(server) {
  // Node would answer a missing Host by itself, without a body.
  Object.assign(server, { requireHostHeader: false });
  server.on('clientError', answerBroken);
  server.on('checkExpectation', (request, response) =>
    answer(response, invalid('The expectation cannot be met.'), request.method),
  );
  const emit = server.emit.bind(server);
  server.emit = (/** @type {string} */ event, /** @type {any[]} */ ...args) => {
    if (event === 'request') {
      const [request, response] = args;
      const refusal = refusalOf(request);
      if (refusal !== null) {
        answer(response, refusal, request.method);
        return true;
      }
      prepare(request);
    }
    return emit(event, ...args);
  };
}
