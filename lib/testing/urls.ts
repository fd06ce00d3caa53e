import type { TestServer } from './cluster';

export type TestRole = 'postgres' | keyof TestServer['passwords'];

/** The address of a database on the test server for a role; `postgres` is the superuser of the admin address. */
export function roleUrl(
  server: Pick<TestServer, 'adminUrl' | 'passwords'>,
  role: TestRole,
  database: string,
): string {
  const url = new URL(server.adminUrl);
  url.pathname = `/${database}`;
  if (role !== 'postgres') {
    url.username = role;
    url.password = server.passwords[role];
  }
  return url.href;
}
