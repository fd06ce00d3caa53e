// A tree as JSON text in one of its many spellings: order, blanks, escapes, numbers.
import { choices, type Choices } from './choices';
import type { Tree } from './tree';

/** @param seed chooses among the spellings */
export const spell = (value: Tree, seed: number): string => spelled(value, choices(seed));

function spelled(value: Tree, pick: Choices): string {
  const blank = () => pick.of(['', '', '', ' ', '\n', '\t', ' \r\n ']);
  const around = (inner: string) => `${blank()}${inner}${blank()}`;
  if (value === null || typeof value === 'boolean') return around(String(value));
  if ('number' in value) return around(spelledNumber(value.number, pick));
  if ('text' in value) return around(spelledText(value.text, pick));
  if ('list' in value)
    return around(`[${value.list.map((each) => spelled(each, pick)).join(',') || blank()}]`);
  const members = pick
    .shuffled(value.members)
    .map(([name, member]) => `${around(spelledText(name, pick))}:${spelled(member, pick)}`);
  return around(`{${members.join(',') || blank()}}`);
}

/** Every spelling denotes exactly the number that the double's shortest text denotes. */
function spelledNumber(number: number, pick: Choices): string {
  if (number === 0) return pick.of(['0', '-0', '0.0', '0e5', '-0.00E-3', '0E+0']);
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(number)) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const exponent = Number(power) - fraction.length;
  const e = (text: string, by: number) =>
    `${text}${pick.of(['e', 'E'])}${by < 0 ? '-' : pick.of(['', '+'])}${pick.of(['', '0'])}${Math.abs(by)}`;
  const point = 1 + pick.below(digits.length);
  const [before, after] = [digits.slice(0, point), digits.slice(point)];
  const spellings = [
    String(number),
    `${sign}${e(digits, exponent)}`,
    `${sign}${e(`${digits}0`, exponent - 1)}`,
    `${sign}${e(after === '' ? before : `${before}.${after}`, exponent + after.length)}`,
    `${sign}${e(`${before}.${after}00`, exponent + after.length)}`,
  ];
  if (power === '0') spellings.push(`${sign}${whole}.${fraction}0`);
  return pick.of(spellings);
}

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '/': '\\/',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function spelledText(text: string, pick: Choices): string {
  const unit = (code: string) => {
    const hex = code.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${pick.of([hex, hex.toUpperCase()])}`;
  };
  const characters = [...text].map((character) => {
    const options = [[...character.split('')].map(unit).join('')];
    const short = SHORT[character];
    if (short !== undefined) options.push(short);
    const plain = character >= ' ' && character !== '"' && character !== '\\';
    return plain && pick.below(3) > 0 ? character : pick.of(options);
  });
  return `"${characters.join('')}"`;
}
