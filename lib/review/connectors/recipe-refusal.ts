import { connectorSchema, type Connector } from '@/lib/domain/connector';
import { isStorable, secretsInRecipe, writtenCredentials } from '@/lib/domain/connector-secrets';
import { outsideUrlFault } from '@/lib/domain/outside-address';
import type { RefusalCode } from '@/lib/domain/refusals';
import { safeParse } from '@/lib/domain/safe-parse';
import type { SecretKind } from '@/lib/domain/secret-screen';

export type CheckedRecipe =
  | { ok: true; recipe: Connector }
  | { ok: false; code: RefusalCode; faults: string[]; secrets?: SecretKind[] };

const MOST_FAULTS = 20;
/** Bytes; in the database it takes at most twice as much, and 32,768 is the table's own limit. */
const LONGEST_RECIPE = 16_000;

/**
 * Judges what somebody typed as a recipe: its form, then that it holds no credential, then the address by its text; the
 * address is judged again, resolved, at every lookup. Faults are named by member, and never repeat what was typed.
 */
export function checkRecipe(raw: unknown, allowsLoopback: (baseUrl: string) => boolean): CheckedRecipe {
  const parsed = safeParse(connectorSchema, raw);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path }) => path.join('.')).slice(0, MOST_FAULTS);
    return { ok: false, code: 'INVALID_INPUT', faults };
  }
  const recipe = parsed.data;
  if (!isStorable(recipe) || Buffer.byteLength(JSON.stringify(recipe)) > LONGEST_RECIPE)
    return { ok: false, code: 'INVALID_INPUT', faults: [] };
  const written = recipe.kind === 'http' ? writtenCredentials(recipe.headers) : [];
  if (written.length > 0)
    return { ok: false, code: 'CREDENTIAL_WRITTEN', faults: written.map((name) => `headers.${name}`) };
  const secrets = secretsInRecipe(recipe);
  if (secrets.length > 0) return { ok: false, code: 'SECRET_IN_TEXT', faults: [], secrets };
  // A database's address is a secret of the deployment, and judged when it is asked.
  if (recipe.kind !== 'http') return { ok: true, recipe };
  const fault = outsideUrlFault(recipe.baseUrl, { allowLoopback: allowsLoopback(recipe.baseUrl) });
  if (fault !== null) return { ok: false, code: 'ADDRESS_REFUSED', faults: ['baseUrl'] };
  return { ok: true, recipe };
}
