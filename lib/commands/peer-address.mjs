// Preload (`node --import`) of the web server: puts the API's own door before it, and writes the socket's own address into a header before Next sees a request.
// Next gives pages no socket, and every header that a client sends can be forged; this one is overwritten each time.
import http from 'node:http';
import { guardServer } from '../ledger/http/front-door.mjs';

const PEER = 'x-onceover-peer';
const emit = http.Server.prototype.emit;

http.Server.prototype.emit = function (event, request, ...rest) {
  if (event === 'listening') guardServer(this);
  if (event === 'request' && request?.headers) {
    delete request.headers[PEER];
    const peer = request.socket?.remoteAddress;
    if (peer) request.headers[PEER] = peer;
  }
  return emit.call(this, event, request, ...rest);
};
