/** The page of a new connector. */
export const START_ADDRESS = '/admin/new-connector';

/** The page of a new connector that begins with something, and a recipe's settings by their names. */
export function startAddress(
  from: 'shipped' | 'copy',
  of?: string,
  settings: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({ from, ...(of !== undefined && { of }), ...settings });
  return `${START_ADDRESS}?${query.toString()}`;
}
