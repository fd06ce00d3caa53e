import { describe, expect, it } from 'vitest';
import { EXCEPTION_KINDS } from '@/lib/domain/exception-kinds';
import { INTAKE_DISPOSITIONS } from '@/lib/domain/dispositions';
import { CATALOGUE } from '@/lib/domain/messages/catalogue';
import { LOCALES } from '@/lib/domain/messages/locales';
import { EXECUTION_STATES } from '@/lib/domain/states';
import { render } from '@/lib/testing/render';
import { HelpLink } from './help-link';
import { HelpSections, HelpWords } from './help-sections';

describe('the help page', () => {
  it.each(LOCALES)(
    'R-097k explains everything that the desk shows, each at an address of its own, in %s',
    (locale) => {
      const html = render(
        <>
          <HelpSections />
          <HelpWords />
        </>,
        locale,
      );
      const ids = [
        ...EXCEPTION_KINDS.map((kind) => `kind-${kind}`),
        ...EXECUTION_STATES.map((state) => `state-${state}`),
        ...INTAKE_DISPOSITIONS.map((each) => `disposition-${each}`),
        ...Object.keys(CATALOGUE[locale].glossary.verdict).map((each) => `verdict-${each}`),
        ...Object.keys(CATALOGUE[locale].glossary.protection).map((each) => `protection-${each}`),
        ...Object.keys(CATALOGUE[locale].common.roles).map((each) => `role-${each}`),
        ...Object.keys(CATALOGUE[locale].words).map((each) => `word-${each}`),
      ];
      for (const id of ids) expect(html.split(`id="${id}"`).length, id).toBe(2);
      const { glossary, words } = CATALOGUE[locale];
      expect(html).toContain(glossary.dispositionMeans.DUPLICATE_HELD.replaceAll("'", '&#x27;'));
      expect(html).toContain(words.lease.means);
    },
  );

  it('R-097k is one step away from the kind of an exception, under a name that says where it leads', () => {
    const html = render(<HelpLink id="kind-UNKNOWN_RESULT" word="Unknown result" />);
    expect(html).toContain('href="/help#kind-UNKNOWN_RESULT"');
    expect(html).toContain('aria-label="Explained: Unknown result"');
  });
});
