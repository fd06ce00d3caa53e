/**
 * The content security policy of a page. Scripts run by nonce and by what those load; nothing may frame us, forms go home
 * only. Styles stay inline: the component library positions its surfaces by style attributes, which no nonce can cover.
 * @param development adds what the development server needs (eval for source maps, its socket)
 */
export function contentPolicy(nonce: string, development: boolean): string {
  return [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${development ? ' ws:' : ''}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
