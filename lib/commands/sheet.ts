// `npm run sheet -- judge FILE`: 0 when every row has its judgement, 1 when some have an error, 2 when nothing was judged.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { isLocale, type Locale } from '@/lib/domain/messages/locales';
import { templateRows } from '@/lib/domain/sheet-template';
import { sheetRows, sheetStart } from '@/lib/review/sheet/export-sheet';
import { readCommandLine } from './command-line.mjs';
import { withLedger } from './read-ledger';
import type { SheetScope } from '@/lib/review/sheet/ledger-records';
import { judgeSheetFile, type SheetFileAsked, type SheetOutcome } from './judge-sheet-file';
import { fileOutlet, outputOutlet, type Outlet } from './write-file';

const USAGE = `usage: npm run -s sheet -- judge FILE [--out FILE] [--errors FILE] [--export FILE] [--encoding cp949] [--lang ko|en]
                                  [--scope TENANT/PRINCIPAL/OPERATION]
       npm run -s sheet -- --template [--out FILE] [--lang ko|en]
  Judges each row of a record sheet (nine columns, CSV in UTF-8) and executes nothing. Exit 0: every row has its judgement;
  1: some rows have an error instead; 2: the file is refused whole and no row was judged.
  --out       where the judgements go as CSV; without it to the output, and the summary to the error output
  --errors    every error as CSV, with its row and column
  --export    the sheet itself as it can be read back: UTF-8 with BOM, no cell a formula
  --encoding  cp949 says that you saw that the file is CP949
  --scope     holds each row against the ledger too (DATABASE_URL, else the embedded database), which is only read
  --lang      of judgements and reasons: en unless told; rows are read in either
  --template  prints a sheet with one row of each case`;

interface Asked {
  readonly sheet: SheetFileAsked | null;
  readonly locale: Locale;
  readonly out: string | null;
  readonly errors: string | null;
  readonly exported: string | null;
  readonly scope: SheetScope | null;
}

/** @throws when it does not name all three; the operation is the rest, for it may have a slash */
function scopeOf(text: string): SheetScope {
  const [, tenantId, principalId, operation] = /^([^/]+)\/([^/]+)\/(.+)$/.exec(text) ?? [];
  if (tenantId === undefined || principalId === undefined || operation === undefined)
    throw new Error(`--scope needs TENANT/PRINCIPAL/OPERATION, not ${text}.`);
  return { tenantId, principalId, operation };
}

function readAsked(): Asked {
  const text = { type: 'string' } as const;
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      out: text,
      errors: text,
      export: text,
      encoding: text,
      lang: text,
      scope: text,
      template: { type: 'boolean', default: false },
    },
  });
  const { out = null, errors = null, export: exported = null, encoding = null, lang = 'en' } = values;
  const scope = values.scope === undefined ? null : scopeOf(values.scope);
  if (!isLocale(lang)) throw new Error(`--lang knows ko and en, not ${lang}.`);
  if (encoding !== null && encoding !== 'cp949') throw new Error(`--encoding knows cp949, not ${encoding}.`);
  const [word, file, ...more] = positionals;
  if (values.template) {
    if (word !== undefined || errors !== null || exported !== null || encoding !== null || scope !== null)
      throw new Error('--template takes --out and --lang alone.');
    return { sheet: null, locale: lang, out, errors, exported, scope };
  }
  if (word !== 'judge' || file === undefined || more.length > 0)
    throw new Error('A sheet needs the word judge and one file.');
  const places = [file, out, errors, exported].filter((place) => place !== null);
  if (new Set(places.map((place) => path.resolve(place))).size < places.length)
    throw new Error('Each file needs a place of its own.');
  return { sheet: { file, locale: lang, confirmed: encoding }, locale: lang, out, errors, exported, scope };
}

async function writeTemplate(locale: Locale, to: Outlet): Promise<void> {
  await to.write(sheetStart(locale) + sheetRows(templateRows(locale)));
  await to.keep();
}

/** Judgements and the sheet stand only when all of it was judged; errors stand also when the file was refused. */
async function judge(asked: Asked, sheet: SheetFileAsked): Promise<SheetOutcome> {
  const judgements = asked.out === null ? outputOutlet() : fileOutlet(asked.out);
  const errors = asked.errors === null ? null : fileOutlet(asked.errors);
  const exported = asked.exported === null ? null : fileOutlet(asked.exported);
  try {
    const to = { judgements, errors, sheet: exported };
    const outcome = await (asked.scope === null
      ? judgeSheetFile(sheet, to, null)
      : withLedger(asked.scope, (read) => judgeSheetFile(sheet, to, read)));
    await errors?.keep();
    if (outcome.exitCode === 2) await Promise.all([judgements.drop(), exported?.drop()]);
    else await Promise.all([judgements.keep(), exported?.keep()]);
    return outcome;
  } catch (error) {
    await Promise.all([judgements, errors, exported].map((outlet) => outlet?.drop()));
    throw error;
  }
}

const asked = readCommandLine(USAGE, readAsked);
try {
  if (asked.sheet === null)
    await writeTemplate(asked.locale, asked.out === null ? outputOutlet() : fileOutlet(asked.out));
  else {
    const { exitCode, told } = await judge(asked, asked.sheet);
    console.error(told.join('\n'));
    process.exitCode = exitCode;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
