'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { visibleLength } from '@/lib/domain/visible-length';
import { visibleText } from '@/lib/domain/visible-text';
import { isTicketAddress, type Ticket } from '@/lib/domain/working-together';
import { ActDialog } from '../admin/act-dialog';
import { type CommandAction, type SettleAction } from '../decision/command-action';
import { useRefusalText } from '../decision/refusal-text';
import { OutsideLink } from '../evidence/outside-link';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { Field } from '../ui/field';
import { Input } from '../ui/input';

interface TicketActsProps {
  view: ExceptionView;
  ticket: Ticket | null;
  link: CommandAction;
  settle: SettleAction;
}

/** The ways to link, change and remove the ticket elsewhere. */
export function TicketActs({ view, ticket, link, settle }: TicketActsProps) {
  const t = useTranslations('exception.together');
  const refusalText = useRefusalText({ roles: ['OPERATOR', 'APPROVER'] });
  const { exception, deskRefusal } = view;
  const [address, setAddress] = useState('');
  const [label, setLabel] = useState('');
  const about = { roles: ['OPERATOR', 'APPROVER'] } as const;
  const base = { exceptionId: exception.exceptionId, exceptionVersion: exception.version };
  const disabledReason = deskRefusal === null ? undefined : refusalText(deskRefusal);
  const isGiven = isTicketAddress(address.trim()) && visibleLength(label) > 0;
  return (
    <>
      <ActDialog
        {...{ about, disabledReason, settle, act: link }}
        label={t(ticket === null ? 'linkTicket' : 'changeTicket')}
        title={t('ticket')}
        lead={t('ticketLead')}
        submit={t('link')}
        asksReason={false}
        onOpen={() => {
          setAddress(ticket?.address ?? '');
          setLabel(ticket?.label ?? '');
        }}
        input={() => (isGiven ? { ...base, address: address.trim(), label } : null)}
      >
        {(tried) => (
          <>
            <Field
              label={t('address')}
              required
              error={tried && !isTicketAddress(address.trim()) ? t('addressError') : undefined}
            >
              {(control) => (
                <Input
                  {...control}
                  type="url"
                  maxLength={2_000}
                  placeholder="https://"
                  value={address}
                  onChange={(event) => setAddress(event.target.value)}
                />
              )}
            </Field>
            <Field
              label={t('label')}
              required
              error={tried && visibleLength(label) === 0 ? t('labelError') : undefined}
            >
              {(control) => (
                <Input
                  {...control}
                  maxLength={200}
                  value={label}
                  onChange={(event) => setLabel(event.target.value)}
                />
              )}
            </Field>
          </>
        )}
      </ActDialog>
      {ticket !== null && (
        <ActDialog
          {...{ about, disabledReason, settle, act: link }}
          label={t('unlink')}
          title={t('unlink')}
          lead={t('unlinkLead')}
          submit={t('unlink')}
          asksReason={false}
          input={() => ({ ...base, address: null, label: null })}
        />
      )}
    </>
  );
}

/** The ticket elsewhere, by its name and with its host in sight. */
export function LinkedTicket({ ticket }: { ticket: Ticket }) {
  const t = useTranslations('exception.together');
  return (
    <div className="min-w-0 text-sm [overflow-wrap:anywhere]">
      <OutsideLink href={ticket.address}>
        <VisibleText text={ticket.label} />
      </OutsideLink>{' '}
      <span className="text-ink-muted">({new URL(ticket.address).host})</span>
      <p className="text-xs text-ink-muted">
        {t.rich('ticketBy', {
          who: visibleText(ticket.linkedBy.displayName),
          time: () => <Instant at={ticket.linkedAt} look="ago" />,
        })}
      </p>
    </div>
  );
}
