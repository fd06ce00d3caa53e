// Ways of breaking the drawings of an execution's life, the four things that an exception says of itself, and help.
import type { Mutant } from './mutant';

const LINE = 'lib/domain/life-line.ts';
const ROWS = 'lib/domain/lane-rows.ts';
const AXIS = 'lib/domain/time-axis.ts';
const ACCOUNT = 'lib/domain/plain-account.ts';
const STEPS = 'lib/domain/step-line.ts';
const TOUR = 'lib/domain/tour.ts';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_LIFE_LINE: readonly Mutant[] = [
  // The drawing
  mutant('R-047d', ROWS, 'last.items.push(item);', ''),
  mutant('R-047d', ROWS, 'free === -1 ? ends.length : free', '0'),
  mutant('R-047d', AXIS, '.sort((a, b) => a - b)', '.sort((a, b) => b - a)'),
  mutant('R-047d', LINE, 'to: Math.max(from, axis.placeOf(end))', 'to: axis.placeOf(begin) - 0.1'),
  mutant('R-047e', AXIS, 'gap >= SILENCE ? BROKEN : Math.log2(1 + gap / UNIT)', 'gap'),
  mutant('R-047e', AXIS, 'indices.filter(isSilence).map', 'indices.filter(() => false).map'),
  mutant('R-047f', LINE, "isTooEarly(each) ? 'TOO_EARLY' : each.verdict", 'each.verdict'),
  mutant('R-047f', LINE, "[...LINKS, 'CONFIRM_NOT_APPLIED',", "[...LINKS, 'EXTEND', 'CONFIRM_NOT_APPLIED',"),
  mutant('R-047f', LINE, "known === null ? 'MAY_EXIST' : 'MAY_HAVE_EXISTED'", "'MAY_HAVE_EXISTED'"),
  mutant('R-047f', LINE, "if (state === 'APPROVED')", "if (state === 'PENDING')"),
  mutant('R-047g', 'components/life-line/life-legend.tsx', '{wordsOf(lane, sort)}', ''),
  mutant('R-047g', 'components/life-line/life-line.tsx', 'role="img"', 'role="group"'),
  // What an exception says of itself
  mutant('R-047h', ACCOUNT, 'known.length > 0 ? known : [', 'known.length >= 0 ? known : ['),
  mutant('R-047i', ACCOUNT, 'announced === 0 ?', 'announced < 0 ?'),
  mutant('R-047i', ACCOUNT, 'offers.every(', 'offers.some('),
  mutant('R-047i', ACCOUNT, "key: pause.paused ? 'STOPPED' : 'RUNS_AGAIN'", "key: 'STOPPED'"),
  // The steps of a workflow
  mutant('R-047j', STEPS, 'next = step.place + 1;', 'next = step.place + 2;'),
  mutant('R-047j', STEPS, 'troubled.includes(step)', 'false'),
  mutant('R-047j', STEPS, 'step.place > step.of - ENDS ||', ''),
  // Help
  mutant('R-097j', 'lib/domain/messages/en/words.json', '"term": "lease"', '"term": "leasing"'),
  mutant('R-097k', 'components/help/help-sections.tsx', 'id: `kind-${kind}`', 'id: `${kind}`'),
  mutant('R-097l', TOUR, "demo && state === 'NEW'", "state === 'NEW'"),
  mutant('R-097l', TOUR, "state === 'LEFT' ? place : 0", '0'),
  mutant('R-097m', 'lib/review/keep-tour.ts', 'z.strictObject(', 'z.object('),
  mutant(
    'R-097m',
    'prisma/migrations/20261206000600_tour/migration.sql',
    'DO UPDATE SET state = excluded.state, place = excluded.place',
    'DO NOTHING',
  ),
];
