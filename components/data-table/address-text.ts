/** What a page gets as its search parameters. */
export type AddressInput = Readonly<Record<string, string | string[] | undefined>>;

interface AddressParser {
  parse: (text: string) => unknown;
  // Method form: each parser serializes its own kind of value.
  serialize(value: unknown): string;
}

/**
 * The named parameters that an address states and their parsers do not understand. A parser takes what it knows and
 * drops the rest, which would widen a filter silently; so what is read must write back to exactly what was given.
 */
export function misread(input: AddressInput, parsers: Readonly<Record<string, object>>): string[] {
  return Object.entries(parsers)
    .filter(([name, parser]) => {
      const given = input[name];
      if (given === undefined) return false;
      if (typeof given !== 'string' || given === '') return true;
      const { parse, serialize } = parser as AddressParser;
      const value = parse(given);
      return value === null || serialize(value) !== given;
    })
    .map(([name]) => name);
}

export type AddressRead<Address> =
  { kind: 'read'; address: Address } | { kind: 'misread'; names: readonly string[] };

/** Reads an address strictly: what is not understood is named, never ignored. */
export function readStrictly<Address>(
  input: AddressInput,
  parsers: Readonly<Record<string, object>>,
  load: (input: AddressInput) => Address,
): AddressRead<Address> {
  const names = misread(input, parsers);
  return names.length > 0 ? { kind: 'misread', names } : { kind: 'read', address: load(input) };
}
