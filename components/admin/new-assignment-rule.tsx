'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ASSIGNMENT_MODES, type AssignmentMode } from '@/lib/domain/assignment-rule';
import { type PersonRef } from '@/lib/domain/person-ref';
import { visibleText } from '@/lib/domain/visible-text';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { ActDialog } from './act-dialog';
import { type AssignmentActions } from './assignment-rules';
import { useAuthorityName } from '../decision/authority-name';

interface NewAssignmentRuleProps {
  tenants: readonly { tenantId: string; displayName: string }[];
  people: readonly PersonRef[];
  authorities: readonly string[];
  actions: AssignmentActions;
}

const PARTS = ['ALL', 'OPERATION', 'AUTHORITY'] as const;
/** A rule by which new exceptions get an owner. */
export function NewAssignmentRule({ tenants, people, authorities, actions }: NewAssignmentRuleProps) {
  const t = useTranslations('admin.assignment');
  const authorityName = useAuthorityName();
  const [tenantId, setTenantId] = useState(tenants.length === 1 ? tenants[0]!.tenantId : '');
  const [part, setPart] = useState<(typeof PARTS)[number]>('ALL');
  const [operation, setOperation] = useState('');
  const [authority, setAuthority] = useState('general');
  const [mode, setMode] = useState<AssignmentMode>('ROUND_ROBIN');
  const [assigneeId, setAssigneeId] = useState('');
  const isWhole =
    tenantId !== '' &&
    (part !== 'OPERATION' || operation.trim() !== '') &&
    (mode === 'ROUND_ROBIN' || assigneeId !== '');
  return (
    <ActDialog
      label={t('new')}
      title={t('new')}
      lead={t('newLead')}
      submit={t('add')}
      look="primary"
      asksReason={false}
      act={actions.set}
      settle={actions.settle}
      input={() =>
        isWhole
          ? {
              tenantId,
              operation: part === 'OPERATION' ? operation.trim() : null,
              authority: part === 'AUTHORITY' ? authority : null,
              mode,
              assigneeId: mode === 'FIXED' ? assigneeId : null,
            }
          : null
      }
    >
      {(tried) => (
        <>
          <Field label={t('tenant')} required error={tried && tenantId === '' ? t('tenantError') : undefined}>
            {(control) => (
              <Select
                {...control}
                value={tenantId}
                placeholder="—"
                onChange={(event) => setTenantId(event.target.value)}
                choices={tenants.map((each) => ({
                  value: each.tenantId,
                  label: visibleText(each.displayName),
                }))}
              />
            )}
          </Field>
          <Field label={t('part')} required>
            {(control) => (
              <Select
                {...control}
                value={part}
                onChange={(event) => setPart(event.target.value as typeof part)}
                choices={PARTS.map((value) => ({ value, label: t(`partChoice.${value}`) }))}
              />
            )}
          </Field>
          {part === 'OPERATION' && (
            <Field
              label={t('operation')}
              required
              error={tried && operation.trim() === '' ? t('operationError') : undefined}
            >
              {(control) => (
                <Input
                  {...control}
                  maxLength={128}
                  value={operation}
                  onChange={(event) => setOperation(event.target.value)}
                />
              )}
            </Field>
          )}
          {part === 'AUTHORITY' && (
            <Field label={t('authority')} required>
              {(control) => (
                <Select
                  {...control}
                  value={authority}
                  onChange={(event) => setAuthority(event.target.value)}
                  choices={['general', ...authorities].map((value) => ({
                    value,
                    label: authorityName(value),
                  }))}
                />
              )}
            </Field>
          )}
          <Field label={t('mode')} required>
            {(control) => (
              <Select
                {...control}
                value={mode}
                onChange={(event) => setMode(event.target.value as AssignmentMode)}
                choices={ASSIGNMENT_MODES.map((value) => ({ value, label: t(`modeChoice.${value}`) }))}
              />
            )}
          </Field>
          {mode === 'FIXED' && (
            <Field
              label={t('assignee')}
              required
              error={tried && assigneeId === '' ? t('assigneeError') : undefined}
            >
              {(control) => (
                <Select
                  {...control}
                  value={assigneeId}
                  placeholder="—"
                  onChange={(event) => setAssigneeId(event.target.value)}
                  choices={people.map((person) => ({
                    value: person.personId,
                    label: visibleText(person.displayName),
                  }))}
                />
              )}
            </Field>
          )}
        </>
      )}
    </ActDialog>
  );
}
