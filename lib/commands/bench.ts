// `npm run bench [-- --scale 10k|1m|10m]`: rates of this machine, and ratios that can be compared; a table, then JSON.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { benchDatabase } from '../testing/bench/bench-database';
import { desk } from '../testing/bench/desk';
import { appending, claiming, verification, type Line } from '../testing/bench/measurements';
import { readCommandLine } from './command-line.mjs';

/** Events in the log, and acts per measurement: more of these say nothing more. */
const SCALES = {
  '10k': { events: 10_000, acts: 500 },
  '1m': { events: 1_000_000, acts: 3_000 },
  '10m': { events: 10_000_000, acts: 10_000 },
} as const;

type Scale = keyof typeof SCALES;

const USAGE = `usage: npm run bench [-- --scale ${Object.keys(SCALES).join('|')}]
  Measures on a PostgreSQL of its own: how fast the audit verifies and with how much memory, what its chain costs, what a
  claim costs beside a plain insert; then at a desk of its own, in a browser: how soon a change by another shows, what moves,
  how soon a press is answered, how long a link takes by keyboard. Prints a table and JSON. Nothing passes or fails by it.`;

const isScale = (text: string): text is Scale => Object.hasOwn(SCALES, text);

const scale = readCommandLine(USAGE, () => {
  const { values } = parseArgs({ options: { scale: { type: 'string', default: '10k' } } });
  if (!isScale(values.scale)) throw new Error(`--scale is one of ${Object.keys(SCALES).join(', ')}`);
  return values.scale;
});

const DIGITS: Readonly<Record<string, number | undefined>> = { ratio: 3, score: 4, s: 1 };
const shown = ({ value, unit }: Line) => value.toFixed(DIGITS[unit] ?? 0);

const { events, acts } = SCALES[scale];
const db = await benchDatabase();
try {
  const lines: Line[] = [];
  for (const measure of [
    () => verification(db, events),
    () => appending(db, acts),
    () => claiming(db, acts),
    desk,
  ]) {
    for (const line of await measure()) {
      lines.push(line);
      console.log(`${line.name.padEnd(44)} ${shown(line).padStart(10)} ${line.unit}`);
    }
  }
  const machine = { node: process.version, cpus: cpus().length, model: cpus()[0]?.model ?? null };
  console.log(JSON.stringify({ scale, machine, lines }));
} finally {
  await db.close();
}
