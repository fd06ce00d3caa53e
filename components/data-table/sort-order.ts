/** One order of a list as the address writes it: `due`, or `-due` for the other way round. */
export interface SortOrder {
  by: string;
  descending: boolean;
}

export function readSortOrder(address: string): SortOrder {
  return address.startsWith('-')
    ? { by: address.slice(1), descending: true }
    : { by: address, descending: false };
}

export function writeSortOrder({ by, descending }: SortOrder): string {
  return descending ? `-${by}` : by;
}
