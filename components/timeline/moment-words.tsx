'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode } from 'react';
import { isExceptionKind } from '@/lib/domain/exception-kinds';
import { type Moment } from '@/lib/domain/exception-timeline';
import { type ActivityView } from '@/lib/domain/exception-view';
import { type ActorRef } from '@/lib/domain/person-ref';
import { type PersonRef } from '@/lib/domain/person-ref';
import { isCarriedOutLater, REQUEST_STATES, type RequestState } from '@/lib/domain/decisions';
import { isTooEarly } from '@/lib/domain/decision-evidence';
import { attemptOutcome } from '@/lib/domain/exception-attempts';
import { type LookupEnding } from '@/lib/domain/lookup-schedule';
import { visibleText } from '@/lib/domain/visible-text';
import { AsReported } from '../text/as-reported';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { isoLike } from '../time/instant';
import { useReaderZone } from '../time/clock';

const EVENTS = [
  'opened',
  'joined',
  'kind_changed',
  'assigned',
  'commented',
  'deferred',
  'resumed',
  'lookup_ended',
  'requested',
  'request_ended',
  'closed',
  'evidence',
  'decided',
  'ticket_linked',
  'rule_waits',
] as const;

/** Ends of a request that are a person's answer. */
const ANSWERS = ['APPROVED', 'REJECTED', 'WITHDRAWN'] as const satisfies readonly RequestState[];

const ENDINGS = [
  'CONCLUSIVE',
  'NEEDS_PERSON',
  'ATTEMPTS_SPENT',
  'NO_LONGER_QUERYABLE',
] as const satisfies readonly LookupEnding[];

interface MomentWords {
  title: string;
  body?: ReactNode;
}

/** The words of every moment, in the reader's language. */
export function useMomentWords(people: readonly PersonRef[]): (moment: Moment) => MomentWords {
  const t = useTranslations('exception.timeline');
  const glossary = useTranslations('glossary');
  const tLookup = useTranslations('lookup');
  const tDecision = useTranslations('decisions.decision');
  const activityWords = useActivityWords(people);
  const named = (actor: ActorRef) => visibleText(actor.name ?? actor.id);
  return (moment) => {
    switch (moment.type) {
      case 'arrival': {
        const { intake } = moment;
        return {
          title: t('arrival', { disposition: glossary(`disposition.${intake.disposition}`) }),
          body: joined(
            intake.requestId === null
              ? null
              : t.rich('requestId', { id: () => <KeyText value={intake.requestId ?? ''} /> }),
            intake.via === 'DIRECT' ? t('arrivalDirect') : null,
          ),
        };
      }
      case 'attempt-started':
        return {
          title: t('attemptStarted', {
            owner: visibleText(moment.attempt.owner),
            number: moment.attempt.attempt,
          }),
        };
      case 'effect-started':
        return { title: t('effectStarted', { number: moment.attempt.attempt }) };
      case 'attempt-ended': {
        const { attempt } = moment;
        return {
          title: t('attemptEnded', {
            number: attempt.attempt,
            outcome: glossary(`attemptOutcome.${attemptOutcome(attempt.outcome)}`),
          }),
          body: <AsReported code={attempt.failureCode} message={attempt.failureMessage} />,
        };
      }
      case 'lease-over':
        return { title: t('leaseOver') };
      case 'late-report': {
        const { report } = moment;
        return {
          title: t('lateReport', { verb: report.verb }),
          body: joined(
            report.resultId === null ? null : <KeyText value={report.resultId} />,
            t('lateState', { state: glossary(`state.${report.stateFound}.label`) }),
          ),
        };
      }
      case 'lookup': {
        const { lookup } = moment;
        return {
          title: t(lookup.byPerson ? 'lookupByPerson' : isTooEarly(lookup) ? 'lookupTooEarly' : 'lookup', {
            who: named(lookup.checkedBy),
            outcome: tLookup(`outcome.${lookup.outcome}`),
            verdict: glossary(`verdict.${lookup.verdict}`),
            count: moment.count,
          }),
          body: joined(
            lookup.resultId === null ? null : <KeyText value={lookup.resultId} />,
            lookup.checkedBy.kind === 'system' ? tLookup('checkedAutomatically') : named(lookup.checkedBy),
          ),
        };
      }
      case 'decision': {
        const { decision } = moment;
        return {
          title: t(isCarriedOutLater(decision.decision) ? 'decisionCarriedOut' : 'decision', {
            who: named(decision.actor),
            decision: tDecision(`${decision.decision}.title`),
          }),
          body:
            decision.rationale === null || decision.rationale === '' ? undefined : (
              <VisibleText text={decision.rationale} paragraphs />
            ),
        };
      }
      case 'activity':
        return activityWords(moment.activity, moment.said);
      default: {
        const impossible: never = moment;
        throw new Error(`bug: unknown moment ${JSON.stringify(impossible)}`);
      }
    }
  };
}

function useActivityWords(
  people: readonly PersonRef[],
): (activity: ActivityView, said: string | null) => MomentWords {
  const t = useTranslations('exception.timeline');
  const tKind = useTranslations('glossary.kind');
  const tState = useTranslations('approvals.state');
  const zone = useReaderZone();
  return ({ event, actor, detail }, reason) => {
    const known = EVENTS.find((each) => each === event);
    if (known === undefined) throw new Error(`bug: unknown event ${event}`);
    const text = (name: string) => (typeof detail[name] === 'string' ? detail[name] : null);
    const who = visibleText(actor.name ?? actor.id);
    const to = text('to');
    if (known === 'assigned' && to === null) return { title: t('event.unassigned', { who }) };
    const kind = text('kind');
    const state = REQUEST_STATES.find((each) => each === text('state'));
    const because = ENDINGS.find((each) => each === text('because'));
    const until = text('until');
    // An approved request has not ended: it is carried out next.
    const answered = ANSWERS.find((each) => each === state);
    const told =
      known === 'request_ended' && answered !== undefined ? (`request_ended_${answered}` as const) : known;
    const words = t(`event.${told}`, {
      who,
      to: visibleText(people.find((each) => each.personId === to)?.displayName ?? t('somebody')),
      kind: isExceptionKind(kind) ? tKind(`${kind}.label`) : '',
      until: until === null ? '' : isoLike(until, zone),
      because: because === undefined ? '' : t(`because.${because}`),
      state: state === undefined ? '' : tState(state),
    });
    const said = text('text') ?? text('place') ?? reason;
    return { title: words, body: said === null ? undefined : <VisibleText text={said} paragraphs /> };
  };
}

function joined(...parts: ReactNode[]): ReactNode {
  const given = parts.filter((part) => part !== null);
  if (given.length === 0) return undefined;
  return given.map((part, index) => (
    <span key={index}>
      {index > 0 && ' · '}
      {part}
    </span>
  ));
}
