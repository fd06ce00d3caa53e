import { describe, expect, it } from 'vitest';
import { CONNECTOR_SECTIONS } from '@/lib/domain/connector-fields';
import { draftOf, fieldsOf } from '@/lib/domain/connector-form';
import { CATALOGUE } from '@/lib/domain/messages/catalogue';
import { LOCALES } from '@/lib/domain/messages/locales';
import { RECIPE } from '@/lib/testing/connector-forms';
import { render } from '@/lib/testing/render';
import { ConnectorForm } from './connector-form';
import { RecipeDifferenceTable } from './recipe-difference';
import { RecipeText } from './recipe-text';
import { TrialResult } from './trial-result';

const nothing = () => Promise.reject(new Error('not here'));
const ACTIONS = { propose: nothing, decide: nothing, settle: nothing, tryIt: nothing };
const content = (recipe: unknown, retired = false) => ({ version: 1, retired, recipe });

describe('a recipe in words', () => {
  it.each(LOCALES)('R-063q says what is asked in one line, and every part of it, in %s', (locale) => {
    const html = render(<RecipeText recipe={{ ...RECIPE, query: { a: '{key}' } }} />, locale);
    expect(html).toContain('GET https://crm.example.com/api/records/{key}?a={key}');
    const words = CATALOGUE[locale].connectors;
    for (const section of CONNECTOR_SECTIONS.filter((each) => !['paging', 'limits'].includes(each)))
      expect(html).toContain(words.section[section]);
    expect(html).toContain(words.field.visibilityDelaySeconds.label);
    expect(html).toContain(words.forEver);
    // What is not said is not shown.
    expect(html).not.toContain(words.field.moreAt.label);
  });

  it('R-063q R-009b hides nothing that stands in it', () => {
    const html = render(<RecipeText recipe={{ ...RECIPE, place: 'CRM\u202e\u200b' }} />);
    expect(html).toContain('\\u{202E}');
    expect(html).not.toContain('\u202e');
  });

  it('R-063q shows members that the form does not describe', () => {
    expect(render(<RecipeText recipe={{ ...RECIPE, retries: { on: [503] } }} />)).toContain(
      'retries: {&quot;on',
    );
  });
});

describe('a change in words', () => {
  it('R-063o names each member with both sides, and nothing else', () => {
    const html = render(
      <RecipeDifferenceTable before={content(RECIPE)} after={content({ ...RECIPE, path: 'orders/{key}' })} />,
    );
    expect(html).toContain('records/{key}');
    expect(html).toContain('orders/{key}');
    expect(html).not.toContain('crm.example.com');
  });

  it('R-063o says when a connector ends or is used again', () => {
    const words = CATALOGUE.en.connectors.difference;
    const ends = render(<RecipeDifferenceTable before={content(RECIPE)} after={content(RECIPE, true)} />);
    const again = render(<RecipeDifferenceTable before={content(RECIPE, true)} after={content(RECIPE)} />);
    expect(ends).toContain(words.retires);
    expect(again).toContain(words.restores);
  });
});

describe('the form', () => {
  const form = (recipe: unknown, locale?: (typeof LOCALES)[number]) =>
    render(
      <ConnectorForm
        connector={{ connectorId: 'crm', tenantId: null, ...content(recipe) }}
        tenants={[]}
        mayServeAll={false}
        actions={ACTIONS}
      />,
      locale,
    );
  const plain = (text: string) =>
    text
      .replace(/'(\{[^']*\})'/g, '$1')
      .replaceAll("''", '&#x27;')
      .replaceAll('"', '&quot;')
      .slice(0, 20);

  it.each(LOCALES)('R-063r R-063u has a labelled control with help for every member, in %s', (locale) => {
    const words = CATALOGUE[locale].connectors;
    const PAGED = { ...RECIPE, items: '/items', paging: { by: 'cursor', at: '/next', parameter: 'page' } };
    for (const recipe of [RECIPE, PAGED, { kind: 'postgres' }]) {
      const html = form(recipe, locale);
      const ofRow: Partial<Record<string, { label: string; hint: string }>> =
        'kind' in recipe ? words.fieldOfRow : {};
      for (const { key } of fieldsOf(draftOf(recipe))) {
        const { label, hint } = ofRow[key] ?? words.field[key];
        expect(html, key).toContain(label);
        expect(html, key).toContain(plain(hint));
      }
    }
    expect(form(RECIPE, locale)).toContain('value="records/{key}"');
  });

  it('R-063u shows what it does not know, and says that it stays', () => {
    const html = form({ ...RECIPE, retries: { on: [503] } });
    expect(html).toContain('retries: {&quot;on');
    expect(html).toContain(CATALOGUE.en.connectors.moreKept);
  });

  it('R-063u lines whose order counts can be moved, and say which line moves', () => {
    const rule = { is: ['x'], status: 'done' };
    const html = form({
      ...RECIPE,
      statusRules: [
        { ...rule, at: '/a' },
        { ...rule, at: '/b' },
      ],
    });
    expect(html).toContain('Move line 2 of “Status rules” up');
    expect(html).toContain('It is the last line.');
  });
});

describe('a try', () => {
  it('R-063s shows a masked header with the name of its secret, and what the environment lacks', () => {
    const html = render(
      <TrialResult
        outdated={false}
        answer={{
          ...{ outcome: 'shown', execution: null, fault: null, missing: ['CRM'], withheld: [], found: null },
          request: {
            ...{ method: 'GET', url: 'https://crm.example.com/api/records/1' },
            headers: [{ name: 'authorization', value: 'Bearer ••••', secrets: ['CRM'] }],
            statement: null,
          },
        }}
      />,
    );
    expect(html).toContain('Bearer ••••');
    expect(html).toContain('from SECRET_CRM');
    expect(html).toContain('lacks SECRET_CRM');
  });
});
