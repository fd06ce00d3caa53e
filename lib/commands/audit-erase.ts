// `npm run audit:erase`: takes what people wrote about one subject out of the audit and of the desk, on record.
import { parseArgs } from 'node:util';
import { eraseTexts, type ErasedSubject } from '@/lib/audit/erase-texts';
import { readRetirements } from '@/lib/audit/retirements';
import { readCommandLine } from './command-line.mjs';
import { installerContext, tellFailure, withOwnerPool } from './owner-pool';

const USAGE = `usage: npm run audit:erase -- SUBJECT --reference TEXT
  Erases reasons, comments and notes about it, for ever. The chain and earlier exports verify as before; the erasure is an event.
  Refused while its exception is open, a request or change waits, an emergency has no review, or the work is under way or in doubt.
  SUBJECT      one of:
    --execution ID, --exception ID
    --person ID                 reasons of changes to that person's account and rights, sources of ended sessions
    --policy TENANT/OPERATION   reasons of changes to that approval policy
    --connector NAME            reasons of changes to that connector
    --event NUMBER              one refused act that names no work, as the audit numbers it
  --reference  where the reason is kept, such as the number of the person's request: visible ASCII, at most 64 characters`;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @throws when the value is none of its kind */
function subjectOf(kind: string, value: string): ErasedSubject {
  if (kind === 'policy') {
    const [, tenantId, operation] = /^([^/]+)\/(.+)$/.exec(value) ?? [];
    if (tenantId === undefined || operation === undefined)
      throw new Error(`${value} is not TENANT/OPERATION`);
    return { policy: { tenantId, operation } };
  }
  if (kind === 'connector') return { connector: value };
  if (kind === 'event') {
    if (!/^[1-9]\d{0,17}$/.test(value)) throw new Error(`${value} is no number of an event`);
    return { event: value };
  }
  if (!UUID.test(value)) throw new Error(`${value} is no id`);
  if (kind === 'execution') return { execution: value };
  return kind === 'exception' ? { exception: value } : { person: value };
}

const asked = readCommandLine(USAGE, () => {
  const option = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      execution: option,
      exception: option,
      person: option,
      policy: option,
      connector: option,
      event: option,
      reference: option,
    },
  });
  const { reference = '', ...subjects } = values;
  const [subject, ...others] = Object.entries(subjects);
  if (subject === undefined || others.length > 0) throw new Error('Name one subject.');
  if (!/^[\x21-\x7e]{1,64}$/.test(reference))
    throw new Error('--reference needs visible ASCII characters, at most 64');
  return { about: subjectOf(...subject), reference };
});

/** @returns what to say, and how to end */
async function erase(): Promise<[string, 0 | 1]> {
  const { answer, anchor } = await withOwnerPool(async (pool) => ({
    answer: await eraseTexts(pool, installerContext('audit-erase'), asked.about, asked.reference),
    anchor: (await readRetirements(pool)).at(-1),
  }));
  const beyond = anchor
    ? ` Not reached: archives of retired events, up to number ${anchor.last}; treat them yourself.`
    : '';
  switch (answer.outcome) {
    case 'done':
      return [`Erased ${answer.texts.length} texts of the audit, and their copies on the desk.${beyond}`, 0];
    case 'held':
      return ['Nothing was erased: it is open, waiting, under way or in doubt. Settle it first.', 1];
    case 'not-found':
      return ['Nothing was erased: there is no such subject.', 1];
    default:
      return answer satisfies never;
  }
}

try {
  const [text, exitCode] = await erase();
  console.log(text);
  process.exitCode = exitCode;
} catch (error) {
  tellFailure(error);
}
