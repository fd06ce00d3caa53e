'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useId, useState, type ReactNode } from 'react';
import { draftOf, FIRST_DRAFT, recipeOf } from '@/lib/domain/connector-form';
import { type ConnectorContent } from '@/lib/domain/connector-view';
import { type TenantChoice } from '@/lib/domain/person-row';
import { CommandNotice } from '../decision/command-notice';
import { isLongEnough, RationaleField } from '../decision/rationale-field';
import { useCommand } from '../decision/use-command';
import { Button } from '../ui/button';
import { DialogForm } from '../ui/dialog-form';
import { LeaveGuard } from '../shell/leave-guard';
import { Panel } from '../ui/panel';
import { type ConnectorActions } from './connector-actions';
import { IdentityFields, isConnectorName, EVERY_TENANT } from './identity-fields';
import { RecipeDifferenceTable } from './recipe-difference';
import { RecipeFields } from './recipe-fields';
import { TrialPanel } from './trial-panel';
import { useDraft } from './use-draft';

interface ConnectorFormProps {
  /** Null: a new one. */
  connector: ({ connectorId: string; tenantId: string | null } & ConnectorContent) | null;
  /** What a new one begins with; without, an empty form. */
  begins?: unknown;
  /** Above form and trial: what it begins with. */
  children?: ReactNode;
  tenants: readonly TenantChoice[];
  /** The reader has every tenant, and can propose a connector for all of them. */
  mayServeAll: boolean;
  actions: ConnectorActions;
}

/** A connector as a form, with the panel to try it. What was typed stays, whatever is answered (LC-18). */
export function ConnectorForm({
  connector,
  begins,
  tenants,
  mayServeAll,
  actions,
  children,
}: ConnectorFormProps) {
  const t = useTranslations('connectors');
  const router = useRouter();
  const form = useId();
  const [start] = useState(() => {
    const recipe = connector?.recipe ?? begins;
    return recipe === undefined ? FIRST_DRAFT : draftOf(recipe);
  });
  const draft = useDraft(start);
  const [name, setName] = useState(connector?.connectorId ?? '');
  const [tenant, setTenant] = useState(connector?.tenantId ?? tenants[0]?.tenantId ?? EVERY_TENANT);
  const [seen, setSeen] = useState(connector?.version ?? 0);
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const { state, send, pending } = useCommand(actions.propose, actions.settle);
  const recipe = recipeOf(draft.draft);
  const answer = state.phase === 'answered' ? state.answer : null;
  const told = answer?.outcome === 'refused' ? answer.connector : undefined;
  const about = {
    connectorId: name,
    tenantId: connector === null && tenant !== EVERY_TENANT ? tenant : (connector?.tenantId ?? null),
  };
  const run = async () => {
    setTried(true);
    const named = connector !== null || isConnectorName(name);
    if (!draft.isReady() || !named || !isLongEnough(reason)) return;
    const given = await send({ ...about, version: seen, retires: false, recipe, reason });
    draft.mark(given);
    if (given?.outcome === 'done') router.push(`/admin/connectors/${name}`);
  };
  return (
    <div className="grid flex-1 content-start items-start gap-x-5 gap-y-4 border-t border-line bg-canvas px-4 pt-4 pb-10 md:px-6 xl:grid-cols-[minmax(0,1fr)_26rem]">
      {children !== undefined && <div className="min-w-0 xl:col-span-full">{children}</div>}
      <LeaveGuard dirty={draft.touched || reason !== '' || name !== (connector?.connectorId ?? '')} />
      <DialogForm
        id={form}
        onSubmit={() => void run()}
        answer={answer}
        // Nothing at all before the first answer: an empty one would push the first panel down.
        notice={
          state.phase !== 'idle' && (
            <>
              <CommandNotice
                state={state}
                about={{ roles: ['ADMIN'] }}
                done={t('form.done')}
                onSendAgain={() => void run()}
              />
              {told !== undefined && answer?.outcome === 'refused' && (
                <Told
                  told={told}
                  recipe={recipe}
                  waits={answer.code === 'PROPOSAL_IN_FLIGHT'}
                  goOn={seen === told.version ? null : () => setSeen(told.version)}
                />
              )}
            </>
          )
        }
      >
        {connector === null && (
          <IdentityFields
            name={name}
            tenant={tenant}
            tenants={tenants}
            mayServeAll={mayServeAll}
            tried={tried}
            onName={setName}
            onTenant={setTenant}
          />
        )}
        <RecipeFields draft={draft} />
        <Panel title={t('form.proposeTitle')}>
          <div className="flex flex-col gap-3">
            <RationaleField name="reason" value={reason} onChange={setReason} tried={tried} />
            <div className="flex flex-wrap items-center gap-3">
              <Button type="submit" look="primary" pending={pending}>
                {t('form.propose')}
              </Button>
              <p className="text-xs text-ink-muted">{t('form.unsaved')}</p>
            </div>
          </div>
        </Panel>
      </DialogForm>
      <aside className="min-w-0 xl:sticky xl:top-4">
        <TrialPanel
          connectorId={isConnectorName(name) ? name : null}
          tenantId={about.tenantId}
          recipe={recipe}
          draft={draft}
          tryIt={actions.tryIt}
        />
      </aside>
    </div>
  );
}

interface ToldProps {
  told: ConnectorContent;
  recipe: unknown;
  /** It is the change that waits, not what is in force. */
  waits: boolean;
  /** Null: the form goes on from there already. */
  goOn: (() => void) | null;
}

/** What another administrator did meanwhile, against what is typed here. */
function Told({ told, recipe, waits, goOn }: ToldProps): ReactNode {
  const t = useTranslations('connectors');
  return (
    <section className="flex flex-col gap-2 rounded-md border border-line-strong bg-surface px-3 py-2.5 text-sm">
      <p className="font-medium">{t(waits ? 'toldWaiting' : 'toldInForce')}</p>
      <RecipeDifferenceTable before={told} after={{ version: told.version, retired: false, recipe }} />
      {!waits && goOn !== null && (
        <div>
          <Button size="sm" onClick={goOn}>
            {t('goOn', { version: told.version })}
          </Button>
        </div>
      )}
    </section>
  );
}
