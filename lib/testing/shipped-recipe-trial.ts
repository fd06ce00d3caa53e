// A shipped recipe, filled in and asked of a system that answers by its published description.
import { expect } from 'vitest';
import type { HttpConnector } from '@/lib/domain/connector-http';
import type { LookupSubject } from '@/lib/lookup/lookup-subject';
import { asking, askConnector, type AskedLookup } from '@/lib/lookup/ask-connector';
import { fillRecipe, type RecipeSettings, type ShippedRecipe } from '@/lib/lookup/recipes/shipped-recipe';
import { describedSystem, type DescribedSystem } from './described-system';
import { undescribed } from './described-places';
import { readDescription, type Description } from './description';

export interface RecipeTrial {
  connector: HttpConnector;
  description: Description;
  system: DescribedSystem;
  /** Asks, and demands that question and answer were as the description has them. */
  ask: (subject: LookupSubject) => Promise<AskedLookup>;
  said: (subject: LookupSubject) => Promise<(string | null)[]>;
  close: () => Promise<void>;
}

const CREDENTIALS = 'c2VjcmV0OnRva2Vu';

/** @param template the path of the description that the recipe asks */
export async function recipeTrial(
  recipe: ShippedRecipe,
  settings: RecipeSettings,
  name: string,
  template: string,
): Promise<RecipeTrial> {
  const filled = fillRecipe(recipe, { secret: 'OUTSIDE', ...settings });
  if (!filled.ok || filled.connector.kind !== 'http') throw new Error(JSON.stringify(filled));
  const { connector } = filled;
  const description = readDescription(name);
  const system = await describedSystem(name, (header) => header.endsWith(` ${CREDENTIALS}`));
  // As shipped, but for the address, and for the rate that the system asks for.
  const here = { ...connector, baseUrl: system.at(connector.baseUrl), ratePerSecond: 100 };
  const ask = async (subject: LookupSubject) => {
    const asked = await askConnector(
      subject,
      { connectorId: recipe.name, version: 1, recipe: here, allowPrivate: true },
      asking({ SECRET_OUTSIDE: CREDENTIALS }, () => undefined),
    );
    expect(system.faults).toEqual([]);
    return asked;
  };
  expect(undescribed(description, template, connector)).toEqual([]);
  return {
    connector,
    description,
    system,
    ask,
    said: async (subject) => {
      const { finding, verdict } = await ask(subject);
      return [finding.outcome, finding.errorClass ?? finding.externalStatus, verdict];
    },
    close: system.close,
  };
}

/** Statuses of which no recipe makes "not there", and what each becomes. */
export const REFUSALS = [
  [401, ['INACCESSIBLE', 'NO_PERMISSION', 'UNCLEAR']],
  [403, ['INACCESSIBLE', 'NO_PERMISSION', 'UNCLEAR']],
  [404, ['INCONCLUSIVE', 'NOTHING_SHOWN', 'UNCLEAR']],
  [429, ['INACCESSIBLE', 'RATE_LIMITED', 'UNCLEAR']],
  [500, ['INACCESSIBLE', 'SERVER_ERROR', 'UNCLEAR']],
  [503, ['INACCESSIBLE', 'SERVER_ERROR', 'UNCLEAR']],
] as const;
