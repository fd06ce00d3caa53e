import { connectorSchema, type Connector } from '@/lib/domain/connector';
import type { ShippedRecipeView } from '@/lib/domain/connector-view';
import { isJsonPointer } from '@/lib/domain/json-pointer';

/** One thing that an administrator fills in; its place in the recipe takes no other text. */
export interface RecipeSetting {
  name: string;
  /** Shown in an empty field, and a valid value. */
  example: string;
  /** What stands there when nothing is filled in; null where something must be. */
  default: string | null;
  pattern: RegExp;
}

export type RecipeSettings = Readonly<Record<string, string>>;

/** A recipe for a public system, proven against its own published description (OPERATIONS.md, "Shipped recipes"). */
export interface ShippedRecipe {
  /** In ONCEOVER_CONFIG: `recipe: { shipped: <name>, settings: { … } }`. */
  name: string;
  /** The published description that it was proven against: a package of the npm registry, and the file in it. */
  source: string;
  settings: readonly RecipeSetting[];
  recipe: (settings: RecipeSettings) => object;
}

export type FilledRecipe =
  { ok: true; connector: Connector } | { ok: false; faults: { path: string; message: string }[] };

/** The shipped recipe with an administrator's settings. It is an ordinary recipe then, and can be changed as one. */
export function fillRecipe({ settings, recipe }: ShippedRecipe, given: RecipeSettings): FilledRecipe {
  const faults = Object.keys(given)
    .filter((name) => !settings.some((setting) => setting.name === name))
    .map((path) => ({ path, message: 'is no setting of this recipe' }));
  const values: Record<string, string> = {};
  for (const { name, default: standing, pattern, example } of settings) {
    const value = Object.hasOwn(given, name) ? given[name] : (standing ?? undefined);
    if (value === undefined) faults.push({ path: name, message: `is missing; for example ${example}` });
    else if (!pattern.test(value)) faults.push({ path: name, message: `has another form than ${example}` });
    else values[name] = value;
  }
  if (faults.length > 0) return { ok: false, faults };
  const parsed = connectorSchema.safeParse(recipe(values));
  if (parsed.success) return { ok: true, connector: parsed.data };
  return {
    ok: false,
    faults: parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
  };
}

/** What somebody chooses it by, and what they fill in. */
export function viewOfRecipe({ name, source, settings }: ShippedRecipe): ShippedRecipeView {
  return { name, source, settings: settings.map((each) => ({ ...each, pattern: each.pattern.source })) };
}

/** What the claims call the system. */
export const systemSetting = (name: string): RecipeSetting => ({
  name: 'system',
  example: name,
  default: name,
  pattern: /^[\x21-\x7e]{1,128}$/,
});

/** What the claims call the account that the credentials speak for. */
export const accountSetting = (example: string): RecipeSetting => ({
  name: 'account',
  example,
  default: null,
  pattern: /^[\x21-\x7e]{1,200}$/,
});

/** The environment's SECRET_<NAME> with the credentials. */
export const secretSetting = (name: string): RecipeSetting => ({
  name: 'secret',
  example: name,
  default: name,
  pattern: /^[A-Z][A-Z0-9_]{0,63}$/,
});

const POINTER = /^(?:\/[^{}/]{1,100}){1,4}$/;

/** The display field in which an execution holds a value. */
export const fieldSetting = (name: string, example: string): RecipeSetting => {
  if (!isJsonPointer(example)) throw new Error(`bug: ${example} is no JSON Pointer`);
  return { name, example, default: example, pattern: POINTER };
};
