import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectorSchema } from '@/lib/domain/connector';
import { draftOf, missingFields, recipeOf } from '@/lib/domain/connector-form';
import { CATALOGUE } from '@/lib/domain/messages/catalogue';
import { LOCALES } from '@/lib/domain/messages/locales';
import { outsideUrlFault } from '@/lib/domain/outside-address';
import { fillRecipe, type RecipeSettings, type ShippedRecipe } from './shipped-recipe';
import { shippedRecipes } from './shipped-recipes';

const DESCRIPTIONS = path.join(import.meta.dirname, '../../testing/descriptions');

const examples = ({ settings }: ShippedRecipe): RecipeSettings =>
  Object.fromEntries(settings.map(({ name, example }) => [name, example]));

describe('shippedRecipes', () => {
  it('R-058z each is filled by its examples, to a public address, with its credentials by reference', () => {
    const recipes = shippedRecipes();
    expect(new Set(recipes.map(({ name }) => name)).size).toBe(recipes.length);
    for (const recipe of recipes) {
      const filled = fillRecipe(recipe, examples(recipe));
      if (!filled.ok || filled.connector.kind !== 'http') throw new Error(JSON.stringify(filled));
      expect(outsideUrlFault(filled.connector.baseUrl, { allowLoopback: false }), recipe.name).toBeNull();
      expect(filled.connector.headers['authorization']).toMatch(/^(?:Bearer|Basic) \$\{secret:[A-Z]+\}$/);
      expect(filled.connector.place?.length).toBeGreaterThan(0);
      const required = recipe.settings.filter((setting) => setting.default === null).map(({ name }) => name);
      const missing = fillRecipe(recipe, {});
      expect(missing.ok ? [] : missing.faults.map(({ path }) => path)).toEqual(required);
    }
  });

  it.each(shippedRecipes())(
    'R-063u $name is edited in the form, member by member, and stays the same',
    (shipped) => {
      const filled = fillRecipe(shipped, examples(shipped));
      if (!filled.ok) throw new Error(JSON.stringify(filled));
      const draft = draftOf(filled.connector);
      expect(draft.rest).toEqual({});
      expect(missingFields(draft)).toEqual([]);
      expect(connectorSchema.parse(recipeOf(draft))).toEqual(filled.connector);
    },
  );

  it('R-063v each names the description that it is proven against', () => {
    for (const { name, source } of shippedRecipes()) {
      const file = path.join(DESCRIPTIONS, `${name.split('-')[0]}.json`);
      const { info } = JSON.parse(readFileSync(file, 'utf8')) as { info: Record<string, unknown> };
      expect(info['x-excerpt']).toMatchObject({
        package: source.split(', ')[0],
        file: source.split(', ')[1],
      });
    }
  });

  it.each(LOCALES)('R-063v each recipe and each of its settings has its words in %s', (locale) => {
    const words = CATALOGUE[locale].connectors;
    const recipes = shippedRecipes();
    expect(Object.keys(words.shipped).sort()).toEqual(recipes.map(({ name }) => name).sort());
    const settings = new Set(recipes.flatMap((recipe) => recipe.settings.map(({ name }) => name)));
    expect(Object.keys(words.setting).sort()).toEqual([...settings].sort());
  });

  it('R-058z a setting takes its own form and nothing that could change the recipe', () => {
    for (const recipe of shippedRecipes()) {
      for (const { name } of recipe.settings) {
        for (const value of [
          '',
          'a b{key}',
          'x"y',
          '{key}',
          '../..',
          '$' + '{secret:OTHER}',
          'a\nb',
          'evil.example.com/?',
          'x'.repeat(5_000),
        ]) {
          const filled = fillRecipe(recipe, { ...examples(recipe), [name]: value });
          if (!filled.ok || filled.connector.kind !== 'http') continue;
          const shipped = fillRecipe(recipe, examples(recipe));
          if (!shipped.ok || shipped.connector.kind !== 'http') throw new Error('not filled');
          // What got through is a name of the claims, not a part of the question.
          expect(['system', 'account'], `${recipe.name} ${name} ${value}`).toContain(name);
          const { system: _a, fixedAccount: _b, ...rest } = filled.connector;
          const { system: _c, fixedAccount: _d, ...standing } = shipped.connector;
          expect(rest).toEqual(standing);
        }
      }
      expect(fillRecipe(recipe, { ...examples(recipe), other: 'x' })).toMatchObject({ ok: false });
    }
  });
});
