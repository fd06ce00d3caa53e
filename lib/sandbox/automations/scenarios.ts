import { type Scenario } from './scenario';
import { KILLED } from './scenarios/killed';
import { LOST_ANSWERS } from './scenarios/lost-answers';
import { ORDINARY } from './scenarios/ordinary';
import { SQL_PRODUCERS } from './scenarios/sql';
import { WAITING } from './scenarios/waiting';
import { WRONG_REPORTS } from './scenarios/wrong-reports';

const SCENARIOS: readonly Scenario[] = [
  ...KILLED,
  ...LOST_ANSWERS,
  ...WRONG_REPORTS,
  ...WAITING,
  ...SQL_PRODUCERS,
  ...ORDINARY,
];

/** These kinds show within the first minute; what waits for a lease or a retention comes before what is there at once. */
const FIRST = [
  'report-killed-before-send',
  'report-again-after-expiry',
  'deletion-killed-after-commit',
  'mail-sent-answer-lost',
  'payment-never-arrived',
  'amount-changed',
  'result-id-forgotten',
  'key-forgotten',
];

/** Those that leave something for people to settle, in the order in which a new desk fills. */
export const DANGEROUS: readonly Scenario[] = [
  ...FIRST.map(scenarioNamed),
  ...SCENARIOS.filter(({ kind, name }) => kind !== null && !FIRST.includes(name)),
];

/** Those that go well. */
export const CALM: readonly Scenario[] = SCENARIOS.filter((scenario) => scenario.kind === null);

export function scenarioNamed(name: string): Scenario {
  const scenario = SCENARIOS.find((candidate) => candidate.name === name);
  if (scenario === undefined) throw new Error(`no scenario is named ${name}`);
  return scenario;
}
