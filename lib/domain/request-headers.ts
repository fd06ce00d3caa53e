/** Request headers that only our own process writes; each inbound value of these names is overwritten or removed. */
export const REQUEST_HEADERS = {
  /** The request's id, in logs and audit events. */
  requestId: 'x-onceover-request',
  /** The page asked for, path and query, to come back to after signing in. */
  path: 'x-onceover-path',
  /** The socket's own address, written by the server before Next sees the request. */
  peer: 'x-onceover-peer',
  /** The nonce of this answer's content security policy. */
  nonce: 'x-nonce',
} as const;
