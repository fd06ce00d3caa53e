// `npm run audit:erase`: takes what people wrote about one piece of work out of the audit and of the desk, on record.
import { parseArgs } from 'node:util';
import { eraseTexts } from '@/lib/audit/erase-texts';
import { readRetirements } from '@/lib/audit/retirements';
import { readCommandLine } from './command-line.mjs';
import { installerContext, tellFailure, withOwnerPool } from './owner-pool';

const USAGE = `usage: npm run audit:erase -- (--execution ID | --exception ID) --reference TEXT
  Erases reasons, comments and notes about it, for ever. The chain and earlier exports verify as before; the erasure is an event.
  Refused while its exception is open, a request waits, or the work is under way or in doubt.
  --reference  where the reason is kept, such as the number of the person's request: visible ASCII, at most 64 characters`;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const asked = readCommandLine(USAGE, () => {
  const { values } = parseArgs({
    options: {
      execution: { type: 'string' },
      exception: { type: 'string' },
      reference: { type: 'string' },
    },
  });
  const { execution, exception, reference = '' } = values;
  const id = execution ?? exception;
  if (id === undefined || (execution !== undefined && exception !== undefined))
    throw new Error('Name one execution or one exception.');
  if (!UUID.test(id)) throw new Error(`${id} is no id`);
  if (!/^[\x21-\x7e]{1,64}$/.test(reference))
    throw new Error('--reference needs visible ASCII characters, at most 64');
  return { about: { execution: execution ?? null, exception: exception ?? null }, reference };
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
      return ['Nothing was erased: it is open, under way or in doubt. Settle it first.', 1];
    case 'not-found':
      return ['Nothing was erased: there is no such execution or exception.', 1];
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
