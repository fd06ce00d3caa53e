'use client';

import { useTranslations } from 'next-intl';
import { useDeferredValue, useState } from 'react';
import { contentPreview, LARGEST_PREVIEW, type ContentPreview } from '@/lib/domain/content-preview';
import { findSecrets } from '@/lib/domain/secret-screen';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Notice } from '../ui/notice';
import { Cell, HeadCell, Table } from '../ui/table';
import { Textarea } from '../ui/textarea';
import { type ContentRules } from './read-draft';

/**
 * What the rules make of a pasted payload. It lives in this component's memory alone: the field has no name, is no part of
 * what the form sends, and goes when the page does.
 */
export function PreviewPanel({ rules }: { rules: ContentRules | null }) {
  const t = useTranslations('policies.preview');
  const secretWords = useTranslations('decisions.secret');
  const [pasted, setPasted] = useState('');
  const text = useDeferredValue(pasted);
  const secrets = findSecrets(text);
  return (
    <section aria-label={t('title')} className="flex flex-col gap-3 rounded-md bg-sunken px-3 py-3">
      <div>
        <h3 className="text-sm font-semibold">{t('title')}</h3>
        <p className="text-xs text-ink-muted">{t('lead')}</p>
      </div>
      <Field label={t('payload')}>
        {(control) => (
          <Textarea
            {...control}
            rows={4}
            maxLength={LARGEST_PREVIEW + 1}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            value={pasted}
            onChange={(event) => setPasted(event.target.value)}
          />
        )}
      </Field>
      {secrets.length > 0 && (
        <Notice tone="caution" role="status">
          {t('secret', { kinds: secrets.map((kind) => secretWords(kind)).join(', ') })}
        </Notice>
      )}
      <div aria-live="polite">
        {rules === null ? (
          <Notice tone="caution">{t('unreadPolicy')}</Notice>
        ) : (
          <Outcome of={previewOf(text, rules)} />
        )}
      </div>
      {pasted !== '' && (
        <div>
          <Button size="sm" onClick={() => setPasted('')}>
            {t('clear')}
          </Button>
        </div>
      )}
    </section>
  );
}

const previewOf = (text: string, rules: ContentRules): ContentPreview =>
  contentPreview(text, {
    version: 0,
    include: rules.includeFields,
    exclude: rules.excludeFields,
    defaults: rules.fieldDefaults,
    types: rules.fieldTypes,
    displayFields: rules.displayFields,
  });

function Outcome({ of }: { of: ContentPreview }) {
  const t = useTranslations('policies.preview');
  switch (of.kind) {
    case 'empty':
      return <p className="text-xs text-ink-muted">{t('empty')}</p>;
    case 'too-large':
      return <Notice tone="danger">{t('tooLarge')}</Notice>;
    case 'refused':
      return (
        <Notice tone="danger" title={t('refused')}>
          {of.pointer !== '' && (
            <>
              <KeyText value={of.pointer} />:{' '}
            </>
          )}
          <span lang="en">{of.detail}</span>
        </Notice>
      );
    case 'read':
      return <Read of={of} />;
    default: {
      const impossible: never = of;
      throw new Error(`bug: unknown preview ${JSON.stringify(impossible)}`);
    }
  }
}

const ROLE_LOOK = { COUNTS: 'font-medium', OUT: 'text-ink-muted', DEFAULT: 'text-accent' } as const;

function Read({ of }: { of: Extract<ContentPreview, { kind: 'read' }> }) {
  const t = useTranslations('policies.preview');
  return (
    <div className="flex flex-col gap-3">
      <dl className="flex flex-col gap-2 text-sm">
        <div>
          <dt className="text-xs text-ink-muted">{t('fingerprint')}</dt>
          <dd>
            <KeyText value={of.fingerprint} className="text-xs" />
          </dd>
        </div>
        <div>
          <dt className="text-xs text-ink-muted">{t('canonical')}</dt>
          <dd
            className="max-h-40 overflow-auto rounded-md border border-line bg-surface px-2 py-1.5"
            tabIndex={0}
          >
            <KeyText value={of.canonical} className="text-xs" />
          </dd>
        </div>
      </dl>
      <Table caption={t('fields')}>
        <thead>
          <tr>
            <HeadCell>{t('field')}</HeadCell>
            <HeadCell>{t('role')}</HeadCell>
            <HeadCell>{t('shown')}</HeadCell>
            <HeadCell className="max-sm:hidden">{t('value')}</HeadCell>
          </tr>
        </thead>
        <tbody>
          {of.fields.map((field) => (
            <tr key={field.pointer}>
              <Cell>
                <KeyText value={field.pointer === '' ? '/' : field.pointer} className="text-xs" />
              </Cell>
              <Cell className={ROLE_LOOK[field.role]}>
                {t(`roles.${field.role}`)}
                {field.type !== null && <span className="block font-mono text-xs">{field.type}</span>}
              </Cell>
              <Cell>{field.role === 'DEFAULT' ? '' : t(field.shown ? 'yes' : 'no')}</Cell>
              <Cell className="max-sm:hidden">
                <VisibleText text={field.value} className="line-clamp-2 font-mono text-xs" />
              </Cell>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
