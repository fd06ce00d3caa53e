'use client';

import { useTranslations } from 'next-intl';
import {
  MEMBER_KINDS,
  POLICY_SECTION_NAMES,
  POLICY_SECTIONS,
  type ListedMember,
  type MemberKind,
  type PolicySection,
} from '@/lib/domain/operation-policy-sections';
import { classNames } from '../ui/class-names';
import { Panel } from '../ui/panel';
import { GuideFields } from './guide-fields';
import { MemberField, type KnownNames } from './member-field';
import { type OperationDraft } from './operation-draft';
import { PreviewPanel } from './preview-panel';
import { readRules, type Problems } from './read-draft';
import { RetentionSum } from './retention-sum';
import { MemberNote } from './member-note';

interface FormSectionsProps {
  draft: OperationDraft;
  problems: Problems;
  known: KnownNames;
  onChange: (draft: OperationDraft) => void;
}

const WIDE: readonly MemberKind[] = ['values', 'outcomes'];

/** The parts of the form in the order in which people think of an operation. */
export function FormSections({ draft, problems, known, onChange }: FormSectionsProps) {
  const t = useTranslations('policies.section');
  const { members } = draft;
  const set = (member: ListedMember, value: string | boolean) =>
    onChange({ ...draft, members: { ...members, [member]: value } });
  return (
    <>
      {POLICY_SECTION_NAMES.map((section) => (
        <Panel key={section} id={section} title={t(`${section}.title`)}>
          <p className="mb-3 text-xs text-ink-muted">{t(`${section}.lead`)}</p>
          <div className="grid gap-x-5 gap-y-4 md:grid-cols-2">
            {POLICY_SECTIONS[section].map((member) => (
              <div
                key={member}
                className={classNames('min-w-0', WIDE.includes(MEMBER_KINDS[member]) && 'md:col-span-2')}
              >
                <MemberField
                  member={member}
                  value={members[member]}
                  problem={problems.get(member)}
                  known={known}
                  note={<MemberNote member={member} members={members} onChange={set} />}
                  onChange={(value) => set(member, value)}
                />
              </div>
            ))}
          </div>
          <Beside section={section} draft={draft} />
        </Panel>
      ))}
      <Panel id="guide" title={t('guide.title')}>
        <p className="mb-3 text-xs text-ink-muted">{t('guide.lead')}</p>
        <GuideFields
          guide={draft.guide}
          problems={problems}
          onChange={(guide) => onChange({ ...draft, guide })}
        />
      </Panel>
    </>
  );
}

/** What a section works out from its fields. */
function Beside({ section, draft }: { section: PolicySection; draft: OperationDraft }) {
  if (section === 'retention')
    return (
      <div className="mt-3">
        <RetentionSum members={draft.members} />
      </div>
    );
  return section === 'content' ? (
    <div className="mt-4">
      <PreviewPanel rules={readRules(draft)} />
    </div>
  ) : null;
}
