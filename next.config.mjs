import createNextIntlPlugin from 'next-intl/plugin';

const withNextIntl = createNextIntlPlugin({
  requestConfig: './components/shell/i18n-request.ts',
  experimental: {
    // Messages are compiled by the build, so that no browser loads the parser of their syntax (DECISIONS, 122).
    messages: { path: './lib/domain/messages', locales: ['en', 'ko'], format: 'json', precompile: true },
  },
});

// For every answer of the server. The content security policy of pages carries a nonce and is set in proxy.ts.
const baseHeaders = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Referrer-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Resource-Policy', value: 'same-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), geolocation=(), microphone=(), payment=(), usb=()' },
  { key: 'Strict-Transport-Security', value: 'max-age=31536000' }, // browsers ignore it over plain http
];
// Files and machine answers never need to load anything themselves.
const inertPolicy = [
  { key: 'Content-Security-Policy', value: "default-src 'none'; frame-ancestors 'none'; base-uri 'none'" },
];

/** @type {import('next').NextConfig} */
const config = {
  output: 'standalone',
  poweredByHeader: false,
  productionBrowserSourceMaps: false,
  // verify checks the types of everything, tests included; a start must neither wait for that nor depend on it.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true }, // turns the optimizer's address off: we show no foreign images
  // Named, because a lockfile in a folder above the checkout would otherwise move the root there.
  outputFileTracingRoot: import.meta.dirname,
  outputFileTracingExcludes: { '/*': ['./.data/**', './.git/**', './e2e/**', './test-results/**'] },
  turbopack: { root: import.meta.dirname },
  // An address of the API with a slash at its end is none: a redirect would be the framework's answer, and cost the body.
  skipTrailingSlashRedirect: true,
  async headers() {
    return [
      { source: '/:path*', headers: baseHeaders },
      { source: '/api/:path*', headers: inertPolicy },
      { source: '/_next/static/:path*', headers: inertPolicy },
    ];
  },
};

export default withNextIntl(config);
