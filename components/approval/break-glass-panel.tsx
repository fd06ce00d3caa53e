'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { FINDINGS, SHORTEST_EMERGENCY, type Finding } from '@/lib/domain/break-glass';
import { type RequestView } from '@/lib/domain/request-view';
import { visibleText } from '@/lib/domain/visible-text';
import { ActDialog } from '../admin/act-dialog';
import { type CommandAction, type SettleAction } from '../decision/command-action';
import { isLongEnough, RationaleField } from '../decision/rationale-field';
import { useRefusalText } from '../decision/refusal-text';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { Field } from '../ui/field';
import { Panel } from '../ui/panel';
import { Select } from '../ui/select';

interface BreakGlassPanelProps {
  request: RequestView;
  breakGlass: CommandAction;
  review: CommandAction;
  settle: SettleAction;
}

/** Acting alone in an emergency, and its review afterwards. */
export function BreakGlassPanel({ request, breakGlass, review, settle }: BreakGlassPanelProps) {
  const t = useTranslations('approvals.breakGlass');
  const refusalText = useRefusalText({
    authority: request.policy.authority,
    roles: ['OPERATOR', 'APPROVER'],
  });
  const [reason, setReason] = useState('');
  const { use, useRefusal } = request.breakGlass;
  if (use !== null) return <UsePanel request={request} review={review} settle={settle} />;
  if (request.kind !== 'REISSUE' || request.state !== 'PENDING') return null;
  return (
    <Panel title={t('title')}>
      <div className="flex flex-col gap-3 text-sm">
        <p className="text-ink-muted">{t('lead')}</p>
        <div>
          <ActDialog
            look="danger"
            label={t('button')}
            title={t('dialogTitle')}
            lead={t('dialogLead')}
            submit={t('submit')}
            disabledReason={useRefusal === null ? undefined : refusalText(useRefusal)}
            asksReason={false}
            act={breakGlass}
            settle={settle}
            input={() =>
              isLongEnough(reason, SHORTEST_EMERGENCY)
                ? { requestId: request.requestId, digest: request.digest, reason }
                : null
            }
          >
            {(tried) => (
              <RationaleField
                name="emergency"
                label={t('reason')}
                hint={t('reasonHint', { count: SHORTEST_EMERGENCY })}
                shortest={SHORTEST_EMERGENCY}
                value={reason}
                onChange={setReason}
                tried={tried}
              />
            )}
          </ActDialog>
        </div>
      </div>
    </Panel>
  );
}

function UsePanel({ request, review, settle }: Omit<BreakGlassPanelProps, 'breakGlass'>) {
  const t = useTranslations('approvals.breakGlass');
  const refusalText = useRefusalText({ authority: request.policy.authority, roles: ['APPROVER'] });
  const [finding, setFinding] = useState<Finding>('JUSTIFIED');
  const [rationale, setRationale] = useState('');
  const { use, reviewRefusal } = request.breakGlass;
  if (use === null) return null;
  return (
    <Panel title={t('title')}>
      <div className="flex flex-col gap-3 text-sm">
        <p className="font-medium">
          {t('used', { who: visibleText(use.usedBy.name ?? use.usedBy.id) })}{' '}
          <Instant at={use.usedAt} look="full" className="text-xs font-normal text-ink-muted" />
        </p>
        <blockquote className="border-l-2 border-line-strong pl-3 text-ink-muted">
          <VisibleText text={use.reason} paragraphs />
        </blockquote>
        {use.review !== null ? (
          <>
            <p>
              {t('reviewed', {
                who: visibleText(use.review.by.name ?? use.review.by.id),
                finding: t(`finding.${use.review.finding}`),
              })}{' '}
              <Instant at={use.review.at} look="full" className="text-xs text-ink-muted" />
            </p>
            <blockquote className="border-l-2 border-line-strong pl-3 text-ink-muted">
              <VisibleText text={use.review.rationale} paragraphs />
            </blockquote>
          </>
        ) : (
          <>
            <p className="text-caution">{t('open')}</p>
            <div>
              <ActDialog
                look="primary"
                label={t('reviewButton')}
                title={t('reviewTitle')}
                lead={t('reviewLead')}
                submit={t('reviewSubmit')}
                disabledReason={reviewRefusal === null ? undefined : refusalText(reviewRefusal)}
                asksReason={false}
                act={review}
                settle={settle}
                input={() =>
                  isLongEnough(rationale) ? { requestId: request.requestId, finding, rationale } : null
                }
              >
                {(tried) => (
                  <>
                    <Field label={t('findingLabel')} required>
                      {(control) => (
                        <Select
                          {...control}
                          name="finding"
                          value={finding}
                          onChange={(event) =>
                            setFinding(FINDINGS.find((each) => each === event.target.value) ?? 'JUSTIFIED')
                          }
                          choices={FINDINGS.map((each) => ({ value: each, label: t(`finding.${each}`) }))}
                        />
                      )}
                    </Field>
                    <RationaleField name="review" value={rationale} onChange={setRationale} tried={tried} />
                  </>
                )}
              </ActDialog>
            </div>
          </>
        )}
      </div>
    </Panel>
  );
}
