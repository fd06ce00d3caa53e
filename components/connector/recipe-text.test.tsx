import { describe, expect, it } from 'vitest';
import { CONNECTOR_FIELDS, CONNECTOR_SECTIONS } from '@/lib/domain/connector-form';
import { CATALOGUE, LOCALES } from '@/lib/domain/messages/catalogue';
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
    for (const section of CONNECTOR_SECTIONS.slice(0, -1)) expect(html).toContain(words.section[section]);
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
    expect(render(<RecipeText recipe={{ ...RECIPE, paging: { next: '/n' } }} />)).toContain('paging');
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
  it.each(LOCALES)('R-063r has a labelled control with help for every member, in %s', (locale) => {
    const connector = { connectorId: 'crm', tenantId: null, ...content(RECIPE) };
    const html = render(
      <ConnectorForm connector={connector} tenants={[]} mayServeAll={false} actions={ACTIONS} />,
      locale,
    );
    const words = CATALOGUE[locale].connectors;
    const plain = (text: string) => text.replace(/'(\{[^']*\})'/g, '$1').slice(0, 20);
    for (const { key } of CONNECTOR_FIELDS) {
      expect(html, key).toContain(words.field[key].label);
      expect(html, key).toContain(plain(words.field[key].hint));
    }
    expect(html).toContain('value="records/{key}"');
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
