// @ts-check
import { CHAIN_START, followChain, judgeHead } from './follow-chain.mjs';

/**
 * @typedef {import('./follow-chain.mjs').ChainPoint} ChainPoint
 * @typedef {import('./follow-chain.mjs').ChainFault} ChainFault
 * @typedef {import('./checkpoint-trail.mjs').CheckpointTrail} CheckpointTrail
 * @typedef {import('./checkpoint-trail.mjs').TrailFault} TrailFault
 * @typedef {import('./checkpoint-trail.mjs').Signed} Signed
 * @typedef {import('./times.mjs').Misdated} Misdated
 */

/**
 * `partial`: time was up; good as far as `reached`, and the head is at `head`. `distrusted`: the events are whole, and the
 * checkpoints they were held against are not to be believed from a line on. `signed` is missing without checkpoints.
 * `after` is the last number that has left the log and was not looked at, where there is one.
 * `misdated`: everything holds together, but an event's time cannot be right.
 * @typedef {{ kind: 'verified', after?: bigint, upTo: bigint, signed?: Signed | null, misdated?: Misdated }
 *   | { kind: 'broken', fault: ChainFault }
 *   | { kind: 'partial', after?: bigint, reached: ChainPoint, head: bigint }
 *   | { kind: 'distrusted', after?: bigint, upTo: bigint, fault: TrailFault, misdated?: Misdated }} Verification
 */

/**
 * A log to be verified: its events in batches, in order of number, and its head as of one moment before them.
 * @typedef {object} Log
 * @property {AsyncIterable<readonly import('./event-hash.mjs').AuditRecord[]>} batches
 * @property {ChainPoint | null} head null when the head is gone
 * @property {bigint} last the greatest number there was
 * @property {ChainPoint} [from] where an earlier pass stopped; without it, after what has left the log
 * @property {CheckpointTrail | null} [trail] checkpoints made before the head was read
 * @property {import('./texts.mjs').TextLedger | null} [texts] to hold the texts against the bodies, from event 1 on
 * @property {import('./retirements.mjs').RetirementWitness | null} [witness] what the database says has left the log
 * @property {import('./times.mjs').Times | null} [times] to follow the events' times as well
 * @property {() => boolean} [isOver] asked between batches: whether to stop
 */

/**
 * Computes every event anew, up to the head, and holds it against the checkpoints. Finds changed, removed, reordered,
 * added and cut-off events; what was cut off or written anew together with the head, by the checkpoints alone.
 * @param {Log} log
 * @returns {Promise<Verification>}
 */
export async function verifyLog(log) {
  const { witness = null, trail = null } = log;
  trail?.seals.watch(witness?.retirements.map(({ last }) => last) ?? []);
  const found = tellTimes(await followLog(log), log.times?.misdated ?? null);
  if (witness === null || trail === null || found.kind === 'partial' || found.kind === 'distrusted')
    return found;
  if (found.kind === 'broken') await trail.finish();
  const unsealed = trail.fault === null ? witness.unsealed(trail.seals) : null;
  if (unsealed === null) return found;
  const isFirst = found.kind !== 'broken' || unsealed.number < found.fault.number;
  return isFirst ? { kind: 'broken', fault: unsealed } : found;
}

/**
 * @param {Verification} found
 * @param {Misdated | null} misdated
 * @returns {Verification}
 */
function tellTimes(found, misdated) {
  const isWhole = found.kind === 'verified' || found.kind === 'distrusted';
  return isWhole && misdated !== null ? { ...found, misdated } : found;
}

/**
 * @param {Log} log
 * @returns {Promise<Verification>}
 */
async function followLog({
  batches,
  head,
  last,
  from,
  trail = null,
  texts = null,
  witness = null,
  times = null,
  isOver = () => false,
}) {
  const goal = head?.number ?? last;
  let point = from ?? witness?.anchor() ?? CHAIN_START;
  const isLate = () => isOver() && (point.number < goal || point.number === 0n);
  if (isLate()) return { kind: 'partial', reached: point, head: goal };
  const unsigned = witness?.isAnchor(point) ? ((await trail?.begin(point)) ?? null) : null;
  if (unsigned !== null) return { kind: 'broken', fault: unsigned };
  for await (const batch of batches) {
    for (const record of batch) {
      // Appended since the head was read: the next pass takes it.
      if (BigInt(record.number) > goal) break;
      const step = followChain(point, record);
      if (!step.ok) return { kind: 'broken', fault: step.fault };
      point = step.point;
      const fault = texts?.take(record) ?? witness?.take(record) ?? (await trail?.meet(point)) ?? null;
      if (fault !== null) return { kind: 'broken', fault };
      times?.take(record);
      const signed = trail?.agreed ?? null;
      if (signed?.number === point.number) times?.signed(point.number, record.occurredAt, signed.since);
    }
    if (isLate()) return { kind: 'partial', reached: point, head: goal };
  }
  // What was cut off before what it told of: the fault is where the log ends, not at the anchor that nothing tells of now.
  const fault =
    judgeHead(point, head, last) ?? texts?.end() ?? (await trail?.end(point)) ?? witness?.end() ?? null;
  if (fault !== null) return { kind: 'broken', fault };
  if (trail === null) return { kind: 'verified', upTo: point.number };
  if (trail.fault !== null) return { kind: 'distrusted', upTo: point.number, fault: trail.fault };
  return { kind: 'verified', upTo: point.number, signed: trail.agreed };
}
