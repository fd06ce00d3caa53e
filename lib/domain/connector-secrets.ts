import { SECRET_REFERENCE } from './connector-http';
import { findSecrets, type SecretKind } from './secret-screen';

/** Names of headers that carry a credential: its value is never written into a recipe. */
const CREDENTIAL_HEADER = /^(?:authorization|.*(?:api-?key|token|secret|password|credential).*)$/;

type Members = Readonly<Record<string, unknown>>;

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  // A name beside its value tells more than either: `api_key` and `abc123`.
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'string' ? [member, `${name}=${member}`] : textsOf(member),
  );
}

const withoutReferences = (text: string): string => text.replaceAll(SECRET_REFERENCE, '');

/** Kinds of secrets that a recipe seems to hold in clear. */
export function secretsInRecipe(recipe: unknown): SecretKind[] {
  return [...new Set(textsOf(recipe).flatMap((text) => findSecrets(withoutReferences(text))))];
}

/** Headers that carry a credential and name no secret: what stands there is the credential itself. */
export function writtenCredentials(headers: Members): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    CREDENTIAL_HEADER.test(name) && typeof value === 'string' && value === withoutReferences(value)
      ? [name]
      : [],
  );
}

/** A header value as people see it: dots where the secret goes, and the names of the secrets. */
export function maskedHeader(value: string): { text: string; secrets: string[] } {
  const secrets = [...value.matchAll(SECRET_REFERENCE)].map((match) => match[1] ?? '');
  return { text: value.replaceAll(SECRET_REFERENCE, '••••'), secrets };
}

/** True where somebody's text can be kept: no NUL and no half of a character anywhere. */
export function isStorable(recipe: unknown): boolean {
  return textsOf(recipe).every((text) => !/[\0\p{Cs}]/u.test(text));
}
