'use client';

import { useTranslations } from 'next-intl';
import { proposePolicy } from '@/lib/domain/policy-proposal';
import { type EffectClass } from '@/lib/domain/exposure';
import { type ListedMember } from '@/lib/domain/operation-policy-sections';
import { Button } from '../ui/button';
import { type OperationDraft } from './operation-draft';

interface MemberNoteProps {
  member: ListedMember;
  members: OperationDraft['members'];
  onChange: (member: ListedMember, value: string | boolean) => void;
}

/** Declared protection that counts only with a checked proof, for effects that cannot simply be undone. */
const PROVEN: readonly unknown[] = ['PROVIDER_KEY', 'CONDITIONAL', 'SAME_DATABASE'];

/** What the other members make worth saying about this one. */
export function MemberNote({ member, members, onChange }: MemberNoteProps) {
  const t = useTranslations('policies.form');
  switch (member) {
    case 'approvalRefRequired': {
      const { approvalRefRequired } = proposePolicy(members.effectClass as EffectClass);
      if (members.approvalRefRequired === approvalRefRequired)
        return approvalRefRequired ? <span className="block">{t('proposedApproval')}</span> : null;
      return (
        <span className="flex flex-wrap items-center gap-2">
          <span>{t(approvalRefRequired ? 'proposedApproval' : 'proposedNone')}</span>
          <Button size="sm" onClick={() => onChange(member, approvalRefRequired)}>
            {t('takeProposal')}
          </Button>
        </span>
      );
    }
    case 'protectionClass':
      return PROVEN.includes(members.protectionClass) &&
        ['IRREVERSIBLE', 'COMPENSABLE'].includes(String(members.effectClass)) &&
        members.protectionDocument === '' ? (
        <span className="block font-medium text-caution">{t('proofMissing')}</span>
      ) : null;
    case 'valueField':
      return members.valueField !== '' &&
        !String(members.displayFields).split('\n').includes(String(members.valueField)) ? (
        <span className="block font-medium text-caution">{t('valueNotShown')}</span>
      ) : null;
    default:
      return null;
  }
}
