import { SECRET_REFERENCE } from '@/lib/domain/connector';

/** Where secrets are: the environment of the process that asks, as `SECRET_<NAME>`. */
export type SecretSource = Readonly<Record<string, string | undefined>>;

export type FilledHeaders = { ok: true; headers: Record<string, string> } | { ok: false; missing: string };

/** Fills references in header values just before sending. A secret that could break out of its header is missing. */
export function fillSecrets(headers: Readonly<Record<string, string>>, source: SecretSource): FilledHeaders {
  const filled: Record<string, string> = {};
  for (const [name, template] of Object.entries(headers)) {
    let missing: string | null = null;
    filled[name] = template.replaceAll(SECRET_REFERENCE, (_reference, secret: string) => {
      const value = source[`SECRET_${secret}`];
      if (value !== undefined && /^[\x21-\x7e]{1,4096}$/.test(value)) return value;
      missing ??= secret;
      return '';
    });
    if (missing !== null) return { ok: false, missing };
  }
  return { ok: true, headers: filled };
}
