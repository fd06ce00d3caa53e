import { notJson } from '../../domain/json-value';
import { isBlank } from '../../domain/visible-text';
import type { Fault } from './report-fault';
import type { EffectResult } from './types';
import type { StoredResponse, Target } from './wire';

/** The parts of a finished effect's word that can be reported, and what is wrong with the others. */
export interface ReadResult {
  readonly result: EffectResult;
  readonly faults: readonly Fault[];
  /** False when what is left would say something else than the effect did: then it is in doubt. */
  readonly tellsSuccess: boolean;
}

const MEMBERS = ['resultId', 'resultUrl', 'target', 'response'] as const satisfies (keyof EffectResult)[];

/** Longest text per member, as the API takes them. */
const LONGEST = { resultId: 255, resultUrl: 2048, system: 64, account: 255, code: 128 } as const;

/**
 * Reads whatever an effect returned. Nothing of it may cost us the rest: the effect has happened (B-26).
 * `target` is the claim's own, which half a target of the result must not contradict.
 */
export function readResult(given: unknown, target: Target | undefined): ReadResult {
  if (given === undefined || given === null) return { result: {}, faults: [], tellsSuccess: true };
  if (typeof given !== 'object') return unreadable('is no object');
  try {
    return readMembers(given as Record<string, unknown>, target);
  } catch (error) {
    return unreadable(`cannot be read: ${String(error)}`);
  }
}

function unreadable(why: string): ReadResult {
  return { result: {}, faults: [{ member: 'result', why }], tellsSuccess: false };
}

function readMembers(given: Record<string, unknown>, claimed: Target | undefined): ReadResult {
  const { result, faults } = knownMembers(given);
  for (const member of Object.keys(given))
    if (!(MEMBERS as readonly string[]).includes(member))
      faults.push({ member, why: 'is no member of a result' });
  const lostId = faults.some(({ member }) => member === 'resultId');
  const elsewhere = result.target === undefined && isOther(given['target'], claimed);
  return { result, faults, tellsSuccess: !lostId && !elsewhere };
}

/** What is wrong with the members of a result that the ledger knows. */
export const resultFaults = (result: EffectResult): readonly Fault[] => knownMembers({ ...result }).faults;

function knownMembers(given: Record<string, unknown>): { result: EffectResult; faults: Fault[] } {
  const { resultId, resultUrl, target, response } = given;
  const faults: Fault[] = [];
  const kept = <T>(member: string, value: unknown, why: string | null): T | undefined => {
    if (value === undefined || value === null) return undefined;
    if (why !== null) faults.push({ member, why });
    return why === null ? (value as T) : undefined;
  };
  const result: EffectResult = {
    resultId: kept<string>('resultId', resultId, idFault(resultId)),
    resultUrl: kept<string>('resultUrl', resultUrl, nameFault(resultUrl, LONGEST.resultUrl)),
    target: kept<Target>('target', target, targetFault(target)),
    response: kept<StoredResponse>('response', response, responseFault(response)),
  };
  return { result, faults };
}

/** Why a text cannot name a result; null when it can. */
function idFault(value: unknown): string | null {
  const fault = nameFault(value, LONGEST.resultId);
  return fault ?? (isBlank(value as string) ? 'shows nothing' : null);
}

function nameFault(value: unknown, longest: number): string | null {
  if (typeof value !== 'string') return 'is no text';
  if (value === '') return 'is empty';
  if (value.length > longest) return `is longer than ${longest} characters`;
  return /\p{Cc}|\p{Surrogate}/u.test(value) ? 'holds characters that no name may have' : null;
}

function targetFault(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return 'is no object';
  const { system, account, ...others } = value as Record<string, unknown>;
  if (Object.keys(others).length > 0) return 'has other members than system and account';
  const [bad] = [
    ...fault('system', nameFault(system, LONGEST.system)),
    ...fault('account', nameFault(account, LONGEST.account)),
  ];
  return bad ?? null;
}

const fault = (member: string, why: string | null): string[] => (why === null ? [] : [`${member} ${why}`]);

/** Whether a target, as far as it can be read, names another place than the claim did. */
function isOther(given: unknown, claimed: Target | undefined): boolean {
  if (typeof given !== 'object' || given === null || claimed === undefined) return false;
  const { system, account } = given as Record<string, unknown>;
  return (
    (system !== undefined && system !== claimed.system) ||
    (account !== undefined && account !== claimed.account)
  );
}

/** Why a refusal's code cannot be stored: it is no word that a policy could know. */
export const codeFault = (code: unknown): string | null => nameFault(code, LONGEST.code);

/** Why an answer cannot be sent to the ledger; whether it is stored the ledger decides. */
export function responseFault(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return 'is no object';
  const present = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
  const found = notJson(present);
  return found === null ? null : `${found.path} is not JSON: ${found.why}`;
}
