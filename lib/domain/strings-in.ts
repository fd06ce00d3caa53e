/** Every text inside a value, member names included, in the order in which they stand. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return Object.entries(value).flatMap(([name, member]) => [name, ...stringsIn(member)]);
}
