// FE-19: what an approver reads is the request, whole: two that differ never look alike.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RequestView } from '@/lib/domain/request-view';
import { visibleRuns } from '@/lib/domain/visible-text';
import { render } from '@/lib/testing/render';
import { REQUEST } from '@/lib/testing/request-view';
import { AskedPanel } from '../exception-detail/asked-panel';
import { RequestSheet } from './request-sheet';

type Change = (request: RequestView, text: string) => RequestView;

const own =
  (name: keyof RequestView): Change =>
  (request, text) => ({ ...request, [name]: text });
const ofExecution =
  (name: keyof NonNullable<RequestView['execution']>): Change =>
  (request, text) => ({ ...request, execution: { ...request.execution!, [name]: text } });
const ofEvidence =
  (name: string, value: (text: string) => unknown = (text) => text): Change =>
  (request, text) => ({ ...request, evidence: { ...request.evidence!, [name]: value(text) } });
const parameter =
  (name: string): Change =>
  (request, text) => ({ ...request, params: { ...request.params, [name]: text } });
const field = (change: Change, prose = false) => ({ change, prose });
const compared = (found: string) => [{ field: '/x', expected: 'x', found, agrees: false }];

/** Everything of a request that somebody else wrote or a machine named; `prose` keeps its line ends as such. */
const FIELDS: Readonly<Record<string, { change: Change; prose: boolean }>> = {
  rationale: field(own('rationale'), true),
  operation: field(own('operation')),
  tenant: field(own('tenantName')),
  fingerprint: field(own('fingerprint')),
  'target system': field(own('targetSystem'), true),
  'target account': field(own('targetAccount'), true),
  'who asks': field((request, name) => ({ ...request, requestedBy: { ...request.requestedBy, name } })),
  key: field(ofExecution('key')),
  principal: field(ofExecution('principalId')),
  'name of the principal': field(ofExecution('principalName')),
  'request id': field(ofExecution('requestId')),
  'business reference': field(ofExecution('businessRef')),
  'content version': field(ofExecution('contentVersion'), true),
  'a field of what was asked': field((request, text) => withDisplay(request, { '/to': text })),
  'the name of such a field': field((request, text) => withDisplay(request, { [`v${text}`]: 'x' })),
  'result of the look': field(ofEvidence('resultId')),
  'account of the look': field(ofEvidence('targetAccount')),
  'place of the look': field(ofEvidence('place')),
  'what was seen': field(ofEvidence('seen'), true),
  'what was compared': field(ofEvidence('comparison', compared)),
  'the new content': field((request, arrived) => ({
    ...request,
    conflict: { ...request.conflict!, differences: [{ field: '/x', differs: true, stored: 'x', arrived }] },
  })),
  'request id of the new content': field((request, requestId) => ({
    ...request,
    conflict: { ...request.conflict!, intake: { ...request.conflict!.intake, requestId } },
  })),
  'what becomes of the original': field(parameter('originalFate'), true),
};
const SETTLEMENT: RequestView = {
  ...REQUEST,
  kind: 'SETTLE_EFFECT',
  relation: null,
  params: { outcome: 'APPLIED', resultId: 'PAY-1', otherFate: 'KEPT', businessImpact: 'one customer' },
};
const FIELDS_OF_SETTLEMENT: typeof FIELDS = {
  'business impact': field(parameter('businessImpact'), true),
  'result that counts': field(parameter('resultId')),
  'address of the result': field(parameter('resultUrl'), true),
  compensation: field(parameter('compensationId')),
};
const EVERY = [
  ...Object.entries(FIELDS).map(([name, each]) => ({ name, from: REQUEST, ...each })),
  ...Object.entries(FIELDS_OF_SETTLEMENT).map(([name, each]) => ({ name, from: SETTLEMENT, ...each })),
];

function withDisplay(request: RequestView, more: Readonly<Record<string, unknown>>): RequestView {
  return {
    ...request,
    execution: { ...request.execution!, display: { ...request.execution!.display, ...more } },
  };
}

const page = (request: RequestView) =>
  render(
    <>
      <RequestSheet request={request} />
      <AskedPanel display={request.execution!.display} expired={false} />
    </>,
  );

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };
/**
 * What a reader sees: the text in its order, with a mark wherever one part ends, and escapes told from text like them. What
 * the page may cut counts as not there.
 */
const visible = (html: string): string =>
  html
    .replace(/<span title="[^"]*" class="mx-px[^"]*">(.*?)<\/span>/gs, '⟦$1⟧')
    .replace(/<span class="[^"]*\b(?:truncate|line-clamp-\d)\b[^"]*">[^<]*<\/span>/g, '')
    .replace(/<\/?(?:bdi|code)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, '⏐')
    .replace(/&([a-z]+|#x27);/g, (_, name: string) => ENTITIES[name] ?? '?');
const shown = (text: string, prose: boolean): string =>
  visibleRuns(text, { keepLineBreaks: prose })
    .map((run) => (run.escapeOf === null ? run.text : `⟦${run.text}⟧`))
    .join('');

const LONG = 'k'.repeat(200);
/** As a key, a name or a reason could be made to hide something in it. */
const ODD: readonly string[] = [
  LONG,
  `${LONG.slice(1)}x`,
  `${'k'.repeat(254)}1`,
  Array.from({ length: 40 }, (_, n) => `line ${n}`).join('\n'),
  'one\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\nand far below',
  'a\tb\t\tc',
  'a  b   c',
  ' at its ends ',
  'left \u202eright\u202c left',
  '\u2067isolated\u2069',
  'שלום עולם',
  'مرحبا order-1',
  'zero\u200bwidth',
  'soft\u00adhyphen',
  'tag\u{e0041}ged',
  'filler\u3164\uffa0',
  'p\u0430yment-4711',
  'cafe\u0301',
  '\u1112\u1161\u11ab글',
  '\\u{200B} as written',
  '<b>bold</b> &amp; "quoted"',
  'a / b › c · d',
  '한글과 日本語 und Größe',
  '🧑‍🚀 rocket',
];

describe('what an approver reads', () => {
  it('FE-19 R-009 each odd value of each field is there to its last character', () => {
    expect(ODD.length).toBeGreaterThanOrEqual(20);
    for (const odd of ODD)
      for (const [from, fields] of [
        [REQUEST, FIELDS],
        [SETTLEMENT, FIELDS_OF_SETTLEMENT],
      ] as const) {
        const value = (name: string) => `v${odd}${name}`;
        const all = Object.entries(fields);
        const request = all.reduce((before, [name, { change }]) => change(before, value(name)), from);
        const read = visible(page(request));
        for (const [name, { prose }] of all) expect(read, name).toContain(shown(value(name), prose));
      }
  });

  it.each(EVERY)(
    'FE-19 R-070b $name: two values that differ, however late, never look alike',
    ({ change, from }) => {
      const alike = fc
        .tuple(
          fc.constantFrom(...ODD, 'order-4711'),
          fc.constantFrom('\u200b', '\u202e', ' ', '\t', '1', '\u00a0', '\u{e0041}', '\\u{200B}', '⁄', '·'),
          fc.nat(),
        )
        .map(([text, inserted, at]) => {
          const place = at % (text.length + 1);
          return [text, text.slice(0, place) + inserted + text.slice(place)] as const;
        });
      const free = fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }));
      const two = fc
        .oneof(alike, free)
        .filter(([one, other]) => one !== other && one !== '' && other !== '')
        .filter((both) => both.every((text) => !/\p{Cs}/u.test(text) && !/[⟦⟧⏐]/.test(text)));
      fc.assert(
        fc.property(two, ([one, other]) => {
          expect(visible(page(change(from, one)))).not.toBe(visible(page(change(from, other))));
        }),
        { numRuns: 6 },
      );
    },
  );

  it('FE-19 R-070b what a request is, whom it takes and what it is worth are told apart as well', () => {
    const seen = [
      {},
      { relation: 'NEW_WORK' },
      { relation: 'RETRY_AS_NEW' },
      { kind: 'CONFIRM_NOT_APPLIED', relation: null, params: {} },
      { kind: 'SETTLE_EFFECT', relation: null, params: { outcome: 'APPLIED', otherFate: 'KEPT' } },
      { kind: 'SETTLE_EFFECT', relation: null, params: { outcome: 'NOT_OURS', otherFate: 'KEPT' } },
      { kind: 'SETTLE_EFFECT', relation: null, params: { outcome: 'APPLIED', otherFate: 'COMPENSATED' } },
      { executionVersion: '5' },
      { policyVersion: 4 },
      { terms: { ...REQUEST.terms, steps: [{ ...REQUEST.terms.steps[0]!, count: 2 }] } },
      { terms: { ...REQUEST.terms, steps: [{ ...REQUEST.terms.steps[0]!, authority: 'rights' }] } },
      { terms: { ...REQUEST.terms, version: 4 } },
      { exception: { ...REQUEST.exception, kind: 'UNKNOWN_RESULT' } },
      { evidence: null },
      ...['00', '01'].map((second) => ({
        evidence: { ...REQUEST.evidence, checkedAt: `2026-11-28T12:00:${second}Z` },
      })),
      { evidence: { ...REQUEST.evidence, verdict: 'UNCLEAR' } },
      { conflict: null },
      { digest: 'e'.repeat(64) },
      { targetSystem: null },
      { targetSystem: 'payment / main', targetAccount: null },
      ...['120.5', '120.500', '120.51', '-120.50', '12050'].map((value) => amount(value, 'USD')),
      ...['CAD', 'AUD', 'KRW', 'JPY', 'CNY', null].map((currency) => amount('120.50', currency)),
    ].map((change) => visible(page({ ...REQUEST, ...change } as RequestView)));
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('R-086l the approval policy and the operation policy are named apart, each with its version', () => {
    const html = visible(page({ ...REQUEST, terms: { ...REQUEST.terms, version: 0 } }));
    expect(html).toMatch(/⏐Approval policy⏐+built-in default⏐/);
    expect(html).toMatch(/⏐Operation policy⏐+version 3⏐/);
  });

  it.each([
    ['letters of another alphabet', 'payment-4711', 'p\u0430yment-4711'],
    ['composed and taken apart', 'café', 'cafe\u0301'],
    ['Korean, composed and taken apart', '한글', '\u1112\u1161\u11ab글'],
    ['full-width digits', 'order-100', 'order-１００'],
  ])('FE-19 R-009h what is drawn alike is warned of: %s', (_, plain, twin) => {
    const warns = /look alike/;
    for (const { change, from } of EVERY) {
      expect(page(change(from, twin))).toMatch(warns);
      expect(page(change(from, plain))).not.toMatch(warns);
    }
  });
});

const amount = (value: string, currency: string | null) => ({
  execution: { ...REQUEST.execution!, amount: { value, currency } },
});
