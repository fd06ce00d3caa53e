'use client';

import { useTranslations } from 'next-intl';
import { useId, type ReactNode } from 'react';
import { EFFECT_CLASSES } from '@/lib/domain/exposure';
import { PROOFS } from '@/lib/domain/lookup-verdict';
import { KEYLESS, SINGLE_EXECUTORS } from '@/lib/domain/operation-policy';
import { MEMBER_KINDS, type ListedMember, type MemberKind } from '@/lib/domain/operation-policy-sections';
import { PROTECTION_CLASSES } from '@/lib/domain/protection';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { Textarea } from '../ui/textarea';
import { FlagField } from './flag-field';
import { useChoiceWords } from './policy-words';
import { useProblemText } from './problem-text';
import { OPTIONAL, type Problem } from './read-draft';
import { SpanField } from './span-field';

const CHOICES: Partial<Record<ListedMember, readonly string[]>> = {
  effectClass: EFFECT_CLASSES,
  proof: PROOFS,
  protectionClass: PROTECTION_CLASSES,
  keyless: KEYLESS,
  singleExecutor: SINGLE_EXECUTORS,
};
const IN_LINES: readonly MemberKind[] = ['paths', 'values', 'types', 'codes', 'outcomes'];

export interface KnownNames {
  readonly authorities: readonly string[];
  readonly connectors: readonly string[];
}

interface MemberFieldProps {
  member: ListedMember;
  value: string | boolean;
  problem: Problem | undefined;
  known: KnownNames;
  /** Said below the field, besides what it is for. */
  note?: ReactNode;
  onChange: (value: string | boolean) => void;
}

/** One member of a policy, by its kind, with what it is for and what is wrong. */
export function MemberField({ member, value, problem, known, note, onChange }: MemberFieldProps) {
  const t = useTranslations('policies');
  const problemText = useProblemText();
  const { meansOf } = useChoiceWords();
  const kind: MemberKind = MEMBER_KINDS[member];
  const label = t(`member.${member}.label`);
  const hintName = `member.${member}.hint` as 'member.effectClass.hint';
  const means = kind === 'choice' ? meansOf(member, String(value)) : undefined;
  const hint = (
    <>
      {means !== undefined && <span className="block font-medium text-ink">{means}</span>}
      {t.has(hintName) && <span className="block">{t(hintName)}</span>}
      {note}
    </>
  );
  const error = problemText(member, problem);
  const required = !OPTIONAL.includes(member) && !IN_LINES.includes(kind);
  if (typeof value === 'boolean')
    return <FlagField label={label} hint={hint} name={member} checked={value} onChange={onChange} />;
  if (kind === 'span') return <SpanField {...{ label, hint, error, required, value, onChange }} />;
  return (
    <Field label={label} hint={hint} error={error} required={required}>
      {(control) => <Control {...{ member, kind, value, known, onChange, control }} />}
    </Field>
  );
}

type Wired = Parameters<Parameters<typeof Field>[0]['children']>[0];
interface ControlProps {
  member: ListedMember;
  kind: MemberKind;
  value: string;
  known: KnownNames;
  onChange: (value: string) => void;
  control: Wired;
}

function Control({ member, kind, value, known, onChange, control }: ControlProps) {
  const t = useTranslations('policies');
  const { nameOf } = useChoiceWords();
  const list = useId();
  const typing = { ...control, name: member, value, spellCheck: false };
  const change = (event: { target: { value: string } }) => onChange(event.target.value);
  if (IN_LINES.includes(kind))
    return <Textarea {...typing} rows={3} maxLength={40_000} className="font-mono" onChange={change} />;
  if (kind === 'choice')
    return (
      <Select
        {...control}
        name={member}
        value={value}
        onChange={change}
        choices={(CHOICES[member] ?? []).map((each) => ({ value: each, label: nameOf(member, each) }))}
      />
    );
  if (kind === 'connector') {
    // One that is gone stays to be seen until somebody chooses another.
    const names = [...new Set([...known.connectors, ...(value === '' ? [] : [value])])];
    return (
      <Select
        {...control}
        name={member}
        value={value}
        onChange={change}
        choices={[
          { value: '', label: t('form.noConnector') },
          ...names.map((name) => ({ value: name, label: name })),
        ]}
      />
    );
  }
  if (kind === 'instant')
    return <Input {...control} name={member} type="date" value={value} onChange={change} />;
  return (
    <>
      <Input
        {...typing}
        list={kind === 'authority' ? list : undefined}
        inputMode={kind === 'count' ? 'numeric' : undefined}
        onChange={change}
      />
      {kind === 'authority' && (
        <datalist id={list}>
          {['general', ...known.authorities].map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
    </>
  );
}
