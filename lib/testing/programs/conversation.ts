// How a program of a test says where it is and waits to be let on.
import readline from 'node:readline';

const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();

export const input = <T>(): T => JSON.parse(process.env.PROGRAM_INPUT ?? 'null') as T;

export const say = (at: string, more: object = {}): void => console.log(JSON.stringify({ at, ...more }));

/** Waits for the test's next word, which is empty when there is nothing to tell. */
export async function sayAndWait(at: string, more: object = {}): Promise<string> {
  say(at, more);
  const { value } = (await lines.next()) as { value?: string };
  return value ?? '';
}
