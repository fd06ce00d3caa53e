import { parseArgs } from 'node:util';

/**
 * For a command that has no arguments of its own.
 * @param {string} usage
 */
export const takesNoArguments = (usage) => readCommandLine(usage, () => parseArgs({ options: {} }));

/**
 * Reads a command's own arguments. `--help` prints how it is called and ends with 0; arguments that it does not know end
 * with 2, the same text and what is wrong. Before any database is opened.
 * @template T
 * @param {string} usage
 * @param {() => T} read
 * @returns {T}
 */
export function readCommandLine(usage, read) {
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return read();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    process.exit(2);
  }
}
