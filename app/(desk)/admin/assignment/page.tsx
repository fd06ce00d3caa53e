import { Users } from 'lucide-react';
import { type Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { AssignmentRules } from '@/components/admin/assignment-rules';
import { NewAssignmentRule } from '@/components/admin/new-assignment-rule';
import { ScrollPage } from '@/components/shell/scroll-page';
import { EmptyState } from '@/components/ui/empty-state';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { requireActor } from '@/lib/access/actor';
import { listAssignmentRules } from '@/lib/review/assignment/list-rules';
import { listAssignees } from '@/lib/review/list-assignees';
import { listTenants } from '@/lib/review/list-tenants';
import { listAuthorities } from '@/lib/review/people/get-person';
import { readContext } from '@/lib/review/read-context';
import { setAssignmentRuleAction, settleAssignmentAction } from './actions';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('admin.assignment'))('title') };
}

const ACTIONS = { set: setAssignmentRuleAction, settle: settleAssignmentAction };

export default async function AssignmentPage() {
  const ctx = readContext(await requireActor());
  const t = await getTranslations('admin');
  const rules = await listAssignmentRules(ctx);
  if (rules === null) notFound();
  const [tenants, people, authorities] = await Promise.all([
    listTenants(ctx),
    listAssignees(ctx),
    listAuthorities(ctx),
  ]);
  return (
    <ScrollPage>
      <PageHeader
        title={t('assignment.title')}
        lead={t('assignment.lead')}
        actions={
          <>
            <LinkButton href="/admin/people">{t('people.title')}</LinkButton>
            <NewAssignmentRule
              tenants={tenants}
              people={people}
              authorities={authorities}
              actions={ACTIONS}
            />
          </>
        }
      />
      {rules.length === 0 ? (
        <EmptyState icon={Users} title={t('assignment.empty')} body={t('assignment.emptyBody')} />
      ) : (
        <AssignmentRules rules={rules} actions={ACTIONS} />
      )}
    </ScrollPage>
  );
}
