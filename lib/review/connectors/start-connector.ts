import 'server-only';
import type { ConnectorStart } from '@/lib/domain/connector-view';
import { fillRecipe, viewOfRecipe } from '@/lib/lookup/recipes/shipped-recipe';
import { shippedRecipes } from '@/lib/lookup/recipes/shipped-recipes';
import { LARGEST_PAGE } from '../keyset';
import type { ReadContext } from '../read-context';
import { getConnector } from './get-connector';
import { listConnectors } from './list-connectors';

/** What an address asks for: nothing, a shipped recipe or a copy, which one, and the recipe's settings by name; `again` shows these once more. */
export interface StartAsked {
  readonly from: string | null;
  readonly of: string | null;
  readonly settings: Readonly<Record<string, string>>;
}

/** What a new connector begins with (R-063v). What does not exist, or is not the reader's, is an empty form. */
export async function startConnector(ctx: ReadContext, asked: StartAsked): Promise<ConnectorStart> {
  if (asked.from === 'shipped') return shippedStart(asked);
  if (asked.from !== 'copy') return { from: 'empty' };
  if (asked.of === null) {
    const answer = await listConnectors(ctx, { cursor: null, size: LARGEST_PAGE });
    return { from: 'copy', connectors: answer.kind === 'page' ? answer.rows : [] };
  }
  const view = await getConnector(ctx, asked.of);
  return view === null ? { from: 'empty' } : { from: 'copy', of: view.connectorId, recipe: view.recipe };
}

function shippedStart({ of, settings }: StartAsked): ConnectorStart {
  const recipes = shippedRecipes();
  const recipe = recipes.find(({ name }) => name === of);
  if (recipe === undefined) return { from: 'shipped', recipes: recipes.map(viewOfRecipe) };
  const given = Object.fromEntries(
    recipe.settings.flatMap(({ name }) =>
      Object.hasOwn(settings, name) ? [[name, settings[name] ?? '']] : [],
    ),
  );
  const filled = fillRecipe(recipe, given);
  return {
    from: 'shipped',
    shipped: viewOfRecipe(recipe),
    given,
    recipe: filled.ok && settings['again'] === undefined ? filled.connector : null,
  };
}
