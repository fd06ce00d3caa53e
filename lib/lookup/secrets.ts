import { SECRET_REFERENCE } from '@/lib/domain/connector-http';

/** Where secrets are: the environment of the process that asks, as `SECRET_<NAME>`. */
export type SecretSource = Readonly<Record<string, string | undefined>>;

export type FilledHeaders = { ok: true; headers: Record<string, string> } | { ok: false; missing: string };

/** Without blanks and line ends. */
const USABLE = /^[\x21-\x7e]{1,4096}$/;

/** Fills references in header values just before sending. A secret that could break out of its header is missing. */
export function fillSecrets(headers: Readonly<Record<string, string>>, source: SecretSource): FilledHeaders {
  const filled: Record<string, string> = {};
  for (const [name, template] of Object.entries(headers)) {
    let missing: string | null = null;
    filled[name] = template.replaceAll(SECRET_REFERENCE, (_reference, secret: string) => {
      const value = source[`SECRET_${secret}`];
      if (value !== undefined && USABLE.test(value)) return value;
      missing ??= secret;
      return '';
    });
    if (missing !== null) return { ok: false, missing };
  }
  return { ok: true, headers: filled };
}

/** The address of a database, as `postgres://user:password@host:port/database` in the environment, and nothing more. */
export interface DatabaseAddress {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

/** Reads the one secret that is a whole connection; null when it is missing or no such address. */
export function databaseAddress(reference: string, source: SecretSource): DatabaseAddress | null {
  const name = [...reference.matchAll(SECRET_REFERENCE)][0]?.[1];
  const text = source[`SECRET_${name}`];
  if (name === undefined || text === undefined || !USABLE.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  // Settings such as sslmode are not the secret's to choose: leaving them out in silence would be worse than refusing.
  if (!/^postgres(?:ql)?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') return null;
  try {
    const [user, password, database] = [url.username, url.password, url.pathname.slice(1)].map(
      decodeURIComponent,
    );
    if (!user || !password || !database || url.hostname === '') return null;
    return { host: url.hostname, port: Number(url.port || 5432), user, password, database };
  } catch {
    return null;
  }
}
