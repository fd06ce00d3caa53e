// The signer as a part of a process: one pass after the other, and what becomes of each.
import type { Logger } from 'pino';
import { publishKeys, revokeKey, rotateKey } from '@/lib/audit/signer/change-keys';
import { keyAfter, type Signer } from '@/lib/audit/signer/judge-head';
import { signHead, type Pass } from '@/lib/audit/signer/sign-head';
import { SignerFiles } from '@/lib/audit/signer/signer-files';
import type { Queryable } from '@/lib/db/pool';
import { inTurn } from './exclusive.mjs';
import { nextKey, presentKey, takeNextKey, type KeyPlace } from './signing-keys';

export interface SignerNeeds {
  /** As the role onceover_signer. */
  db: Queryable;
  place: KeyPlace;
  log: Logger;
  /** One round of delivering what is signed to somewhere else. Never throws; signing does not wait for it. */
  deliver?: (stop: AbortSignal) => Promise<void>;
}

/** Milliseconds after which the last round, at the end of the process, begins no further delivery. */
const LAST_ROUND_MS = 1_000;

/** Times the usual pause; while in alarm each pass looks through the whole log for the first bad number. */
const ALARM_PAUSE = 4;

/** Signs up to the head, while no other process signs in this folder. */
export async function pass(needs: SignerNeeds, acceptTimes = false): Promise<Pass> {
  for (;;) {
    const done = await alone(needs, (signer) => signHead({ ...signer, acceptTimes }));
    if (done.kind !== 'signed' || !done.more) return done;
  }
}

/** Hands over to a new key. */
export const rotate = (needs: SignerNeeds): Promise<Pass> =>
  alone(needs, (signer) => rotateKey(signer, nextKey(needs.place)));

/** Revokes an earlier key from an instant on. */
export const revoke = (needs: SignerNeeds, keyId: string, at: string): Promise<Pass> =>
  alone(needs, (signer) => revokeKey(signer, keyId, at));

function alone(needs: SignerNeeds, work: (signer: Signer) => Promise<Pass>): Promise<Pass> {
  const { db, place } = needs;
  return inTurn(`audit signer ${place.folder}`, async () => {
    const files = new SignerFiles(place.folder);
    const { last } = files.readState();
    if (last !== null) takeNextKey(place, keyAfter(last));
    const done = await work({ db, files, key: presentKey(place) });
    if (done.kind !== 'signed') return done;
    takeNextKey(place, keyAfter(done.record));
    if (done.record.type === 'key') await publishKeys(files);
    return done;
  });
}

/** Signs every `seconds` until told to stop, and once more then. A database that does not answer is asked again. */
export async function signUntil(needs: SignerNeeds, seconds: number, stop: AbortSignal): Promise<void> {
  const { log } = needs;
  let said = '';
  let round: Promise<void> | null = null;
  for (;;) {
    const last = stop.aborted;
    let pauseSeconds = seconds;
    try {
      const done = await pass(needs);
      const words = wordsOf(done);
      if (done.kind === 'alarm') pauseSeconds *= ALARM_PAUSE;
      if (done.kind !== 'nothing-new' && words !== said)
        log[done.kind === 'alarm' ? 'error' : 'debug'](describe(done));
      said = words;
    } catch (error) {
      log.warn({ event: 'signing_failed', error: nameOf(error) });
    }
    if (last) break;
    if (needs.deliver)
      round ??= needs.deliver(stop).finally(() => {
        round = null;
      });
    await waitOr(pauseSeconds * 1_000, stop);
  }
  await round;
  await needs.deliver?.(AbortSignal.timeout(LAST_ROUND_MS));
}

function describe(done: Pass): Record<string, unknown> {
  switch (done.kind) {
    case 'signed':
      return { event: 'checkpoint_signed', number: done.record.number, keyId: done.record.keyId };
    case 'nothing-new':
      return { event: 'nothing_to_sign', number: done.number.toString() };
    case 'alarm':
      return {
        event: 'audit_alarm',
        alarm: done.alarm.code,
        firstBadNumber: done.alarm.number?.toString() ?? null,
      };
    default:
      return done satisfies never;
  }
}

const wordsOf = (done: Pass): string => JSON.stringify(describe(done));

function waitOr(milliseconds: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    stop.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
    if (stop.aborted) {
      clearTimeout(timer);
      resolve();
    }
  });
}

const nameOf = (error: unknown): string =>
  error instanceof Error ? ((error as { code?: string }).code ?? `${error.name}: ${error.message}`) : 'error';
