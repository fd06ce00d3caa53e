// `npm run audit:retire`: moves old audit events into archives that verify by themselves. Run it once a month.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { keepAudit } from '@/lib/audit/retire/keep-audit';
import { retireAudit } from '@/lib/audit/retire/retire-audit';
import { readKeys } from '@/lib/audit/verifier/open-trail.mjs';
import { readCommandLine } from './command-line.mjs';
import { dataDirPlace } from './data-dir.mjs';
import { installerContext, tellFailure, withOwnerPool } from './owner-pool';

const USAGE = `usage: npm run audit:retire [-- [--checkpoints FILE] [--keys FILE] [--folder FOLDER] [--up-to NUMBER]] | [-- --keep-days DAYS]
  Ends the audit's open partition, and moves everything up to the latest end that is old enough into an archive: written, verified
  against the signer's published file, and only then dropped. The chain goes on from there, and an event tells of it.
  Refused while an open exception, a waiting request or a break-glass without review needs some of the events.
  --checkpoints  the signer's file (DATA_DIR/audit-checkpoints.jsonl)
  --keys         believes these public keys alone
  --folder       where archives are written (DATA_DIR/audit-archives)
  --up-to        another end than the latest that is due
  --keep-days    changes how long events stay at least, on record, and does nothing else`;

const asked = readCommandLine(USAGE, () => {
  const { values } = parseArgs({
    options: {
      checkpoints: { type: 'string' },
      keys: { type: 'string' },
      folder: { type: 'string' },
      'up-to': { type: 'string' },
      'keep-days': { type: 'string' },
    },
  });
  const { 'up-to': upTo, 'keep-days': keepDays } = values;
  if (upTo !== undefined && !/^[1-9]\d{0,17}$/.test(upTo)) throw new Error('--up-to must be a number.');
  if (keepDays !== undefined && !/^[1-9]\d{1,4}$/.test(keepDays))
    throw new Error('--keep-days must be a number of days, at least 30.');
  return { ...values, upTo, keepDays };
});

const REFUSALS = {
  NOT_CUT: 'no partition ends there, or it has left already',
  TOO_YOUNG: 'its last events are younger than the audit keeps them',
  NOT_SIGNED: 'no checkpoint signs exactly this number: let the signer run',
  LEGAL_HOLD: 'this still needs some of the events:',
};

/** @returns what to say, and how to end */
async function retire(): Promise<[string, 0 | 1]> {
  const context = installerContext('audit-retire');
  const { keepDays } = asked;
  if (keepDays !== undefined) {
    await withOwnerPool((owner) => keepAudit(owner, context, Number(keepDays)));
    return [`The audit keeps its events for at least ${keepDays} days.`, 0];
  }
  const place = dataDirPlace();
  const done = await withOwnerPool((owner) =>
    retireAudit({
      owner,
      context,
      checkpoints: asked.checkpoints ?? path.join(place, 'audit-checkpoints.jsonl'),
      keys: readKeys(asked.keys),
      folder: asked.folder ?? path.join(place, 'audit-archives'),
      upTo: asked.upTo === undefined ? null : BigInt(asked.upTo),
    }),
  );
  switch (done.outcome) {
    case 'done':
      return [
        `Retired events ${done.first} to ${done.last} to ${done.file} (SHA-256 ${done.sha256}); event ${done.event} tells of it.\nKeep the file as long as the audit: nothing else holds these events any more.`,
        0,
      ];
    case 'nothing-due':
      return ['Nothing is due: no partition is old enough and signed at its end.', 0];
    case 'busy':
      return ['Another run is at it.', 1];
    case 'refused':
      return [[`Nothing was retired: ${REFUSALS[done.code]}`, ...done.holders].join('\n  '), 1];
    case 'unproven':
      return [`Nothing was retired. ${done.text}`, 1];
    default:
      return done satisfies never;
  }
}

try {
  const [text, exitCode] = await retire();
  console.log(text);
  process.exitCode = exitCode;
} catch (error) {
  tellFailure(error);
}
