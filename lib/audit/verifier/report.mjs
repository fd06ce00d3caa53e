// @ts-check
// What was found, in words for whoever runs the verification, with the exit code that goes with it.

/** @typedef {{ text: string, exitCode: 0 | 1 | 2 }} Report */

/** @type {Record<import('./follow-chain.mjs').ChainFaultReason, string>} */
const FAULTS = {
  MISSING: 'there is no event with this number',
  UNLINKED: 'it does not carry the hash of the event before it',
  CHANGED: 'its content is not what was hashed',
  UNEXPECTED: 'an event stands where none can be',
  HEAD: 'the head does not carry the hash of this event',
  TEXT: 'a text of it is not the one that was recorded, or is missing though no event tells of its erasure',
  REWRITTEN: 'from here to the next checkpoint, something is not what was signed',
  ANCHOR: 'what the database says about the events retired up to here is not what was signed or recorded',
  PROOF:
    'what it carries does not lead to a root that was signed, though every event of its time has such a way',
  ARCHIVE: 'the archive is not the file that was made when its events were retired',
};

/** @type {Record<import('./checkpoint-trail.mjs').TrailFaultReason, string>} */
const TRAIL_FAULTS = {
  FORM: 'it is no checkpoint',
  SEQUENCE: 'it does not follow the line before it',
  OTHER_LOG: 'it is about another log',
  BACKWARDS: 'it contradicts the line before it',
  EARLIER: 'it is dated before the line before it',
  TREE: 'its root is not that of the events that it has to cover',
  KEY_UNKNOWN: 'nothing vouches for its key',
  KEY_RETIRED: 'its key had been replaced before',
  KEY_REVOKED: 'its key had been revoked before',
  SIGNATURE: 'its signature does not fit',
};

const FILE_FAULTS = {
  HEADER: 'it does not begin as an export does',
  FORM: 'it is no line of an export',
  CUT: 'the end is missing, or events are',
  ORDER: 'a checkpoint stands out of its order',
};

/** @param {import('./follow-chain.mjs').ChainFault} fault */
const firstBad = ({ number, reason }) => `First bad number: ${number} (${FAULTS[reason]}).`;

/**
 * @param {import('./verify-log.mjs').Verification} found
 * @returns {Report}
 */
export function reportLog(found) {
  switch (found.kind) {
    case 'verified':
      return {
        text: `The audit chain is whole: events ${(found.after ?? 0n) + 1n} to ${found.upTo} verified against the head.${retiredWords(found)}\n${signedWords(found)}${timeWords(found)}`,
        exitCode: found.misdated === undefined ? 0 : 1,
      };
    case 'broken':
      return { text: `The audit chain is broken. ${firstBad(found.fault)}`, exitCode: 1 };
    case 'distrusted':
      return {
        text: `Events ${(found.after ?? 0n) + 1n} to ${found.upTo} hold together, but the checkpoints are not to be believed from line ${found.fault.line} on: ${TRAIL_FAULTS[found.fault.reason]}.${timeWords(found)}`,
        exitCode: 1,
      };
    default:
      throw new Error('bug: a pass without a time limit stopped early');
  }
}

/** @param {{ misdated?: import('./times.mjs').Misdated }} found */
function timeWords({ misdated }) {
  if (misdated === undefined) return '';
  const { number, at, against } = misdated;
  return `\nTimes are not to be relied on from number ${number} on: it is dated ${at}, which contradicts ${against}; clocks do not differ so much.`;
}

/** @param {{ after?: bigint }} found */
function retiredWords({ after }) {
  if (after === undefined) return '';
  return `\nThose up to ${after} were retired: their archives, given with --archive, are verified together with the rest.`;
}

/** @param {Extract<import('./verify-log.mjs').Verification, { kind: 'verified' }>} found */
function signedWords({ upTo, signed }) {
  if (signed === undefined) {
    return 'This proves nothing against somebody who can rewrite the whole database: no outside checkpoint was given.';
  }
  if (signed === null) return 'No checkpoint was in the file: nothing is signed yet.';
  const since = upTo - signed.number;
  const proven =
    signed.provenFrom === null
      ? ''
      : `\nEach signed event from number ${signed.provenFrom} on has its own way to a signed root: exported files prove it whatever they leave out.`;
  return `Signed up to number ${signed.number} at ${signed.at} by key ${signed.keyId}; ${since} ${since === 1n ? 'event' : 'events'} since.${proven}`;
}

/**
 * @param {import('./verify-export.mjs').ExportVerification} found
 * @returns {Report}
 */
export function reportExport(found) {
  switch (found.kind) {
    case 'verified':
      return { text: proofWords(found.proof), exitCode: 0 };
    case 'broken':
      return { text: `The export is not what was recorded. ${firstBad(found.fault)}`, exitCode: 1 };
    case 'distrusted':
      return {
        text: `The checkpoint in line ${found.line} is not to be believed: ${TRAIL_FAULTS[found.reason]}.`,
        exitCode: 1,
      };
    case 'unreadable':
      if (found.reason === 'CSV')
        return {
          text: 'This is the CSV, which is for reading. The verifier reads the JSON Lines export.',
          exitCode: 1,
        };
      return {
        text: `The file is no whole export. Line ${found.line}: ${FILE_FAULTS[found.reason]}.`,
        exitCode: 1,
      };
    default:
      throw new Error('bug: unknown outcome');
  }
}

/**
 * @param {string} file
 * @param {import('./verify-export.mjs').ExportVerification} found what is wrong with the archive
 * @returns {Report}
 */
export function reportArchive(file, found) {
  return { ...reportExport(found), text: `Archive ${file}: ${reportExport(found).text}` };
}

/** @param {import('./export-reading.mjs').ExportProof} proof */
function wholeWords({ after, last, archived }) {
  if (archived)
    return 'It calls itself the archive of these numbers, and both its ends are signed. Whether they were retired, and with this very file, it cannot show: give --checkpoints, or --archive with the log.';
  const end = `Whether the log went on after ${last}, this file cannot show.`;
  if (after === 0n) return `Every number up to ${last} is there. ${end}`;
  return `Every number after ${after} up to ${last} is there; the events up to ${after} had been retired before, as the signer signed, and are in their archives. ${end}`;
}

/** @param {import('./export-reading.mjs').ExportProof} proof */
function textWords({ absent, untold }) {
  if (absent === 0) return '';
  const told = absent - untold;
  const erased =
    told === 0
      ? ''
      : `\n${told} texts are not there any more: they were erased, as an event of the file tells.`;
  const open =
    untold === 0
      ? ''
      : `\n${untold} texts are not in the file, and no event of it tells that they were erased: hold it against the log.`;
  return erased + open;
}

/** @param {import('./export-reading.mjs').ExportProof} proof */
function looseWords({ events, signed, loose }) {
  const count = events - signed;
  if (count === 0) return '';
  const numbers = `${loose.join(', ')}${count > loose.length ? ', …' : ''}`;
  return count === 1
    ? ` The other one, number ${numbers}, agrees with its own hash alone: hold it against a whole export.`
    : ` The other ${count}, numbers ${numbers}, agree with their own hash alone: hold them against a whole export.`;
}

/**
 * What the file leaves open about the log, in numbers; of an archive everything is there, and both its ends are signed.
 * @param {import('./export-reading.mjs').ExportProof} proof
 */
function notThereWords({ archived, after, missing, upTo, checkpointAt }) {
  if (archived) return '';
  const gaps =
    missing === 0n
      ? ''
      : `\nNot in the file: ${missing} of the numbers ${after + 1n} to ${upTo}. Whether a filter left them out, or the rights of whoever exported it, or somebody took them out afterwards, and whether the log went on after ${upTo}, this file cannot show.`;
  const end =
    checkpointAt === 0n || checkpointAt >= upTo
      ? ''
      : `\nNot signed in the file: what came after number ${checkpointAt}, which its last checkpoint is about.`;
  return gaps + end;
}

/** @param {number} ways */
function wayWords(ways) {
  if (ways === 0) return '';
  return ` ${ways} of these ${ways === 1 ? 'carries its' : 'carry their'} own way to a signed root, whatever stands between and is not shown.`;
}

/** @param {import('./export-reading.mjs').ExportProof} proof */
function proofWords(proof) {
  const { events, links, signed, ways, first, last, complete, keyId } = proof;
  if (events === 0) return `The export holds no event.${notThereWords(proof)}`;
  const gaps = complete
    ? wholeWords(proof)
    : `Not every number is there: ${links} of ${events} follow, hash by hash, the one before them in the file; that nothing was left out between the others, this file cannot show.`;
  const proven =
    signed === 0
      ? 'None of them leads to a checkpoint in this file: that they stand in the log is proven only by a whole export, or by the log itself.'
      : `${signed} of them ${signed === 1 ? 'leads' : 'lead'}, hash by hash, to a checkpoint signed by key ${keyId}.${wayWords(ways)}${looseWords(proof)}`;
  return `Each of the ${events} events (numbers ${first} to ${last}) is what was hashed when it was recorded.\n${gaps}\n${proven}${textWords(proof)}${notThereWords(proof)}`;
}

/**
 * What a file's events are against published checkpoints, said beside what the file proves alone.
 * @param {Report} report
 * @param {import('./checkpoint-trail.mjs').CheckpointTrail} trail read to its end
 * @param {bigint | null} last the file's last number
 * @returns {Report}
 */
export function withTrail({ text }, { fault, agreed, before }, last) {
  if (fault !== null)
    return {
      text: `${text}\nThe checkpoints given are not to be believed from line ${fault.line} on: ${TRAIL_FAULTS[fault.reason]}.`,
      exitCode: 1,
    };
  const against =
    agreed === null
      ? 'None of the checkpoints given is about an event of it.'
      : `It agrees with the checkpoints given, the last of them at number ${agreed.number}, signed at ${agreed.at} by key ${agreed.keyId}.`;
  const further =
    before !== null && last !== null && BigInt(before.number) > last
      ? ` They go on to number ${before.number}: what came after ${last} is not in this file.`
      : '';
  return { text: `${text}\n${against}${further}`, exitCode: 0 };
}

/**
 * Whose word it all is, in the last line: what names its own key says nothing against whoever can rewrite it.
 * @param {Report} report
 * @param {{ keys: string | undefined, isSigned: boolean }} by the file of public keys that was given · whether any signature was verified
 * @returns {Report}
 */
export function withKeys(report, { keys, isSigned }) {
  if (report.exitCode !== 0 || (isSigned && keys !== undefined)) return report;
  const why = isSigned
    ? "nobody but what was verified itself vouches for the key, and whoever can rewrite that can sign it anew with a key of their own. Give --keys FILE, with the signer's public keys as you have them from elsewhere."
    : 'no signature leads to any event here, and whoever can rewrite them all can make them agree.';
  return { ...report, text: `${report.text}\nNot verified against a key of yours: ${why}` };
}
