import { expect, it } from 'vitest';
import { GuidePanel } from '@/components/exception-detail/guide-panel';
import { LOCALES } from '@/lib/domain/messages/locales';
import { type OperationPolicyContent } from '@/lib/domain/operation-policy';
import { MEMBER_KINDS } from '@/lib/domain/operation-policy-sections';
import { POLICY_CONTENT } from '@/lib/testing/operation-policy-content';
import { GUIDE } from '@/lib/testing/operation-policy-forms';
import { render } from '@/lib/testing/render';
import { guideForm } from './policy-address';
import { OperationDifferenceList } from './operation-difference-list';
import { OperationFacts } from './operation-facts';
import { OperationPolicyForm } from './operation-policy-form';

const nothing = () => Promise.resolve({ outcome: 'unknown' } as const);
const form = (
  <OperationPolicyForm
    tenantId="tenant-north"
    operation="send/letter"
    version={0}
    content={{ ...POLICY_CONTENT, guide: GUIDE }}
    known={{ authorities: ['money'], connectors: ['crm'] }}
    propose={nothing}
    settle={nothing}
  />
);
/** What next-intl prints in place of a text that the catalogue lacks. */
const RAW = /(?:policies|glossary|exception|decisions)\.[a-z]+\.[\w.]+/;
const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

it.each(LOCALES)('R-048d R-097e the form asks for every member of a policy, in words: %s', (locale) => {
  const html = render(form, locale);
  for (const member of Object.keys(MEMBER_KINDS).filter((name) => !name.endsWith('Seconds')))
    expect(html, member).toContain(`name="${member}"`);
  for (const language of ['en', 'ko']) expect(html).toContain(`name="guide.${language}.whoDecides"`);
  expect(textOf(html)).not.toMatch(RAW);
  expect(textOf(render(<OperationFacts content={POLICY_CONTENT} />, locale))).not.toMatch(RAW);
  // The pasted payload is no part of what the form sends.
  const [, preview = ''] = /(<textarea[^>]*maxLength="200001"[^>]*>)/i.exec(html) ?? [];
  expect(preview).not.toContain('name=');
});

it('R-019c the form proposes an approval for what cannot be undone', () => {
  const asked = (effectClass: 'IRREVERSIBLE' | 'REVERSIBLE') =>
    textOf(
      render(
        <OperationPolicyForm
          {...form.props}
          content={{ ...POLICY_CONTENT, effectClass, approvalRefRequired: false }}
        />,
      ),
    );
  expect(asked('IRREVERSIBLE')).toContain('Proposed, because it cannot be undone. Take it');
  expect(asked('REVERSIBLE')).not.toContain('Take it');
});

it('R-016d R-039 the form says what counts without a proof, and the least retention with its parts', () => {
  const changed = {
    protectionClass: 'PROVIDER_KEY',
    retransmissionSeconds: 86_400,
    dedupeWindowSeconds: 90,
  } as const;
  const text = textOf(
    render(<OperationPolicyForm {...form.props} content={{ ...POLICY_CONTENT, ...changed }} />),
  );
  expect(text).toContain('Without a valid proof this counts as no protection.');
  expect(text).toContain(
    'At least 1 day 1 minute 30 seconds (Senders retransmit for 1 day + The provider remembers a key for 1 minute 30 seconds).',
  );
});

it('R-048h a difference is told to the second, line by line, and for each text of the guide', () => {
  const before = { ...POLICY_CONTENT, displayFields: ['/to'] };
  const after: OperationPolicyContent = {
    ...POLICY_CONTENT,
    ...{ slaSeconds: 14_401, displayFields: ['/amount'], effectClass: 'REVERSIBLE', guide: GUIDE },
  };
  const text = textOf(render(<OperationDifferenceList before={before} after={after} />));
  expect(text).toContain('Effect class: Irreversible → Reversible');
  expect(text).toContain('Decided within: 4 hours → 4 hours 1 second');
  expect(text).toMatch(/Shown to people, no longer: \/to Shown to people, added: \/amount/);
  expect(text).toContain(`Guide, Korean · Who decides Before not written After ${GUIDE.ko.whoDecides}`);
});

it('R-048g where no guide is written this is said, and administrators of the tenant are led to the form', () => {
  const rights = { authorities: [], tenantIds: ['tenant-north'] };
  const leads = guideForm({ ...rights, roles: ['ADMIN'] }, 'tenant-north', 'a&b');
  expect(leads).toBe('/admin/policies/change?tenant=tenant-north&operation=a%26b#guide');
  expect(guideForm({ ...rights, roles: ['OPERATOR'] }, 'tenant-north', 'a')).toBeNull();
  expect(guideForm({ ...rights, roles: ['ADMIN'] }, 'tenant-south', 'a')).toBeNull();
  const missing = render(<GuidePanel guide={{}} writeAt={leads} />);
  expect(textOf(missing)).toContain('No guide has been written for this operation. Write one');
  expect(missing).toContain('operation=a%26b#guide');
  expect(textOf(render(<GuidePanel guide={null} writeAt={null} />, 'ko'))).toContain(
    '이 작업에는 설명서가 없습니다.',
  );
  const long = { ...GUIDE, en: { ...GUIDE.en, whereToLook: `${'x'.repeat(1_999)}\u202e` } };
  expect(textOf(render(<GuidePanel guide={long} writeAt={leads} />))).toContain('x'.repeat(1_999));
});
