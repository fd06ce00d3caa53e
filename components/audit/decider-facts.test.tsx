import { type ComponentProps } from 'react';
import { describe, expect, it } from 'vitest';
import { type ApprovalTerms } from '@/lib/domain/approval-policy';
import { decidedIn } from '@/lib/domain/audit-story';
import { auditEvent } from '@/lib/testing/audit-event';
import { render } from '@/lib/testing/render';
import { CircumstanceFacts } from './circumstance-facts';

const of = { approvalRequestId: 'q' };
const asked = auditEvent(2, { ...of, event: 'reissue.requested', actorId: 'p-1', actorName: 'Olivia' }, {});
const approved = auditEvent(
  4,
  { ...of, event: 'reissue.approved', actorId: 'p-2', actorRoles: ['APPROVER'] },
  { authoritiesThen: ['money'] },
);
const elsewhere = auditEvent(5, { approvalRequestId: 'r', actorId: 'p-2', actorRoles: ['MANAGER'] }, {});
const refused = auditEvent(6, { ...of, outcome: 'refused', actorId: 'p-2' }, {});
const made = auditEvent(
  9,
  { ...of, event: 'reissue.executed', actorKind: 'system', actorId: 'system:worker' },
  { onBehalfOf: 'p-2' },
);
const story = [asked, approved, elsewhere, refused, made];
const facts = (more: Partial<ComponentProps<typeof CircumstanceFacts>>) =>
  render(<CircumstanceFacts event={made} tenantName={null} me="x" names={{ 'p-2': 'Bea' }} {...more} />);
const terms: ApprovalTerms = {
  ...{ own: true, version: 3, minRationale: 20, approvalSeconds: 60, executionSeconds: 60 },
  steps: [
    { kinds: ['REISSUE'], count: 1, role: 'APPROVER', authority: null, fromAmount: null, fromEffect: null },
  ],
};

describe('who decided what the system carried out', () => {
  it('R-088s is told with the roles and authorities of the verdict, and leads to it', () => {
    expect(decidedIn(made, story)).toBe(approved);
    expect(decidedIn(asked, story)).toBeNull();
    expect(facts({ decided: decidedIn(made, story) })).toMatch(
      /Decided by<.*Bea.*Approver.*Money.*href="\/audit\/4".*Carried out by<.*Worker/,
    );
  });

  it('R-088af says in one line which authority was needed and whether it was held', () => {
    const needing = (needed: string, authoritiesThen?: string[]) =>
      facts({
        event: auditEvent(
          4,
          { ...of, event: 'reissue.approved' },
          { authorityNeeded: needed, ...(authoritiesThen && { authoritiesThen }) },
        ),
      });
    expect(needing('general', ['money'])).toMatch(/Authority needed<.*None beyond the role/);
    expect(needing('money', ['money', 'rights'])).toMatch(/Authority needed<.*Money: held</);
    expect(needing('money', ['rights'])).toMatch(/Authority needed<.*Money: not held then/);
    expect(needing('money')).toMatch(/Authority needed<.*which ones were held was not recorded/);
    expect(facts({ event: asked })).not.toContain('Authority needed');
  });

  it('R-088s says whether a second person was needed, and whom the policy asked for', () => {
    const linked = auditEvent(3, { event: 'decision.result_linked' }, {});
    expect(facts({ event: linked })).toContain('None was needed: one person settles this');
    expect(facts({ terms, story })).toMatch(
      /Second person<.*version 3.*1 person in the role Approver who did not ask/,
    );
    expect(
      facts({ event: auditEvent(3, { outcome: 'refused', event: 'decision.result_linked' }, {}) }),
    ).not.toContain('Second person');
    expect(facts({ event: auditEvent(3, { event: 'exception.commented' }, {}) })).not.toContain(
      'Second person',
    );
  });

  it('R-088y names who asked and who decided, and before that only how many are missing', () => {
    const people = (...events: (typeof asked)[]) => facts({ event: asked, terms, story: events });
    expect(people(asked, approved)).toMatch(/Asked by Olivia, decided by Ada\./);
    expect(people(asked, approved)).not.toContain('needed');
    expect(people(asked)).toMatch(/Asked by Olivia\. 1 more person who did not ask is needed\./);
    const rejected = { ...approved, event: 'reissue.rejected' };
    expect(people(asked, rejected)).toContain('refused by Ada');
    const expired = { ...approved, event: 'reissue.expired', actorName: 'Sweep' };
    expect(people(asked, expired)).toContain('Nobody decided it');
    expect(people(asked, { ...approved, approvalRequestId: 'other' })).toContain('1 more person');
  });

  it('R-088y says of the built-in default what it is, with the roles that may decide where a step names none', () => {
    const [step] = terms.steps;
    if (step === undefined) throw new Error('bug: no step');
    const confirm: ApprovalTerms = {
      ...{ ...terms, own: false, version: 0 },
      steps: [{ ...step, kinds: ['CONFIRM_NOT_APPLIED'], role: null }],
    };
    const html = facts({ event: asked, terms: confirm, story: [asked, approved] });
    expect(html).toMatch(/built-in default.*1 person in the role Operator or Approver who did not ask/);
    expect(html).toMatch(/has no approval policy of its own.*href="\/admin\/policies"/);
    expect(facts({ event: auditEvent(3, { event: 'decision.result_linked' }, {}) })).toContain(
      'only for new keys',
    );
  });
});
