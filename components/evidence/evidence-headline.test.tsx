import { describe, expect, it } from 'vitest';
import { type Decision } from '@/lib/domain/decisions';
import { type EvidenceStanding } from '@/lib/domain/evidence-standing';
import { type EvidenceView } from '@/lib/domain/exception-view';
import { type LookupEnding } from '@/lib/domain/lookup-schedule';
import { CATALOGUE, type Locale } from '@/lib/domain/messages/catalogue';
import { render } from '@/lib/testing/render';
import { LOOK } from '@/lib/testing/request-view';
import { EvidenceHeadline } from './evidence-headline';
import { LookupMeta } from './lookup-meta';

const found: EvidenceView = {
  ...LOOK,
  ...{ byPerson: false, connectorId: 'crm', outcome: 'FOUND', verdict: 'APPLIED', resultId: 'CRM-123' },
};
const LOCALES: readonly Locale[] = ['en', 'ko'];

const headline = (standing: EvidenceStanding, more: object = {}, locale: Locale = 'en') =>
  render(
    <EvidenceHeadline
      {...{ standing, lookup: found, beside: null, witness: null, hasAccount: true, reported: null }}
      {...{ settled: false, carried: null, effectInDoubt: false, recommended: null, ...more }}
    />,
    locale,
  );
const escaped = (text: string) => text.replaceAll('“', '“').replaceAll("'", '&#x27;');

describe('what the page says about evidence', () => {
  it('R-062q answers that settle nothing are told apart, each with where to go on, in both languages', () => {
    for (const locale of LOCALES) {
      const { standing: words, wayOn } = CATALOGUE[locale].lookup;
      const seen = (['MISMATCH', 'SILENT', 'UNCLEAR'] as const).map((standing) => {
        const html = headline(standing, {}, locale);
        expect(html).toContain(escaped(words[standing]));
        expect(html).toContain(escaped(wayOn[standing]));
        return html;
      });
      const several = headline('MULTIPLE', {}, locale);
      expect(several).toContain(escaped(wayOn.MULTIPLE));
      expect(new Set([...seen, several]).size).toBe(4);
    }
  });

  it('R-062r a match is a suggestion to link where that can be done, and never more than one', () => {
    const recommended: Decision = 'LINK_RESULT';
    const html = headline('MATCH', { recommended });
    expect(html).toContain('CRM-123 exists, and account and content agree');
    expect(html).toContain('Suggestion');
    expect(html).toContain('Link CRM-123. Nothing is decided by itself.');
    expect(headline('MATCH')).not.toContain('Suggestion');
    expect(headline('MATCH', { recommended, settled: true })).not.toContain('Suggestion');
    expect(headline('NOT_APPLIED', { recommended: 'CONFIRM_NOT_APPLIED' })).toContain(
      'Confirm that it did not happen',
    );
  });

  it('R-064n while "not there" proves nothing, the time that is left is counted down', () => {
    const early = { ...found, outcome: 'NOT_FOUND' as const, usableFrom: '2026-11-30T00:04:09Z' };
    const html = headline('NOT_APPLIED_TOO_EARLY', { lookup: early });
    expect(html).toContain('role="timer"');
    expect(html).toContain('4:09');
  });

  it('R-065o the end of the automatic looks says why, and where a person looks', () => {
    const endings: readonly (LookupEnding | null)[] = [
      ...(['CONCLUSIVE', 'NEEDS_PERSON', 'ATTEMPTS_SPENT', 'NO_LONGER_QUERYABLE'] as const),
      null,
    ];
    for (const locale of LOCALES) {
      const words = CATALOGUE[locale].lookup.noFurtherLook;
      for (const ending of endings) {
        const lookup = { ...found, ending, nextPlace: 'The CRM, under Records' };
        const html = render(<LookupMeta lookup={lookup} watch />, locale);
        expect(html).toContain(escaped(words[ending ?? 'OTHER']));
        expect(html).toContain('The CRM, under Records');
      }
      expect(new Set(Object.values(words)).size).toBe(5);
    }
  });
});
