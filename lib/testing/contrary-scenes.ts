// Executions in doubt that the outside system and people have looked at with different results.
import { randomUUID } from 'node:crypto';
import { addManualEvidence } from '@/lib/review/add-manual-evidence';
import type { LookingContext } from '@/lib/review/desk-context';
import { lookUpNow } from '@/lib/review/look-up-now';
import type { DeskFixture } from './desk-fixture';
import { CONNECTOR } from './lookup-fixture';
import type { Json } from './ledger-fixture';

interface Doubt {
  id: string;
  key: string;
  exceptionId: string;
}

export interface ContraryScenes {
  /** A doubt past its horizon, of an effect that can be taken back. */
  doubt: () => Promise<Doubt>;
  /** The system answers with these things now; nothing without any. */
  systemShows: (doubt: Doubt, ...items: object[]) => Promise<void>;
  /** This person records that it happened, unless said otherwise. */
  saw: (who: LookingContext, doubt: Doubt, change?: Json) => Promise<void>;
  /** Each answers the execution. */
  scenes: Record<string, () => Promise<string>>;
}

const OPERATION = 'reserve-stock';

/** `world` is asked when a scene is made: the scenes are listed before there is a database. */
export function contraryScenes(
  world: () => { desk: DeskFixture; first: LookingContext; second: LookingContext },
): ContraryScenes {
  let policySet = false;
  const doubt = async () => {
    const { desk } = world();
    if (!policySet)
      await desk.ledger.policy(OPERATION, { connector_id: CONNECTOR, effect_class: 'REVERSIBLE' });
    policySet = true;
    const made = await desk.unknownPayment({ operation: OPERATION });
    await desk.db.advanceClock('10 minutes');
    return made;
  };
  const systemShows: ContraryScenes['systemShows'] = async ({ exceptionId }, ...items) => {
    const { desk, first } = world();
    desk.answerItems(...items);
    const looked = await lookUpNow(first, { exceptionId });
    if (looked.outcome !== 'done') throw new Error(JSON.stringify(looked));
  };
  const saw: ContraryScenes['saw'] = async (who, { exceptionId, key }, change = {}) => {
    const { view } = await world().desk.seen(who, exceptionId);
    const kept = await addManualEvidence(who, {
      operationId: randomUUID(),
      exceptionId,
      executionVersion: view.execution?.version,
      place: 'stock list',
      seen: 'It is listed there.',
      verdict: 'APPLIED',
      targetAccount: 'main',
      contentAgrees: true,
      resultId: `PAY-${key}`,
      ...change,
    });
    if (kept.outcome !== 'done') throw new Error(JSON.stringify(kept));
  };
  const scene = (steps: (of: Doubt) => Promise<void>) => async () => {
    const of = await doubt();
    await steps(of);
    return of.id;
  };
  const pay = ({ key }: Doubt, change: object) => world().desk.payment(key, change);
  const unlike = { resultId: 'PAY-other' };
  return {
    doubt,
    systemShows,
    saw,
    scenes: {
      'seen by a person, then not there': scene(async (of) => {
        await saw(world().first, of);
        await systemShows(of);
      }),
      'not there, then seen by a person': scene(async (of) => {
        await systemShows(of);
        await saw(world().first, of);
      }),
      'seen by a person who took it back, then not there': scene(async (of) => {
        await saw(world().first, of);
        await saw(world().second, of, { verdict: 'NOT_APPLIED', resultId: undefined });
        await systemShows(of);
      }),
      'seen by two people, then not there': scene(async (of) => {
        await saw(world().first, of);
        await saw(world().second, of);
        await systemShows(of);
      }),
      'seen by one, not there, seen by another': scene(async (of) => {
        await saw(world().first, of);
        await systemShows(of);
        await saw(world().second, of);
      }),
      'seen twice by one person, then not there': scene(async (of) => {
        await saw(world().first, of);
        await saw(world().first, of);
        await systemShows(of);
      }),
      'seen by two people with two results, then not there': scene(async (of) => {
        await saw(world().first, of);
        await saw(world().second, of, unlike);
        await systemShows(of);
      }),
      'seen by two people with somebody in between who saw nothing': scene(async (of) => {
        await saw(world().first, of);
        await saw(world().second, of, { verdict: 'NOT_APPLIED', resultId: undefined });
        await saw(world().second, of);
        await systemShows(of);
      }),
      'seen by two people, and something else was found': scene(async (of) => {
        await saw(world().first, of);
        await saw(world().second, of);
        await systemShows(of, pay(of, { id: 'PAY-found' }));
      }),
      'seen by two people, and it is pending': scene(async (of) => {
        await saw(world().first, of);
        await saw(world().second, of);
        await systemShows(of, pay(of, { status: 'pending' }));
      }),
    },
  };
}
