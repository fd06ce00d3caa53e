export type SqlType =
  | 'text'
  | 'text[]'
  | 'integer'
  | 'bigint'
  | 'smallint'
  | 'smallint[]'
  | 'uuid'
  | 'uuid[]'
  | 'timestamptz'
  | 'interval';

/**
 * Collects a statement's values while its text is put together from constants. Values become `$1`, `$2` …; text of
 * others never becomes SQL.
 */
export class SqlParameters {
  readonly values: unknown[] = [];

  /** The placeholder for a value. `type` casts it, so that PostgreSQL need not guess. */
  add(value: unknown, type: SqlType): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

/** A LIKE pattern for "starts with exactly this". */
export function prefixPattern(text: string): string {
  return `${text.replace(/[\\%_]/g, '\\$&')}%`;
}
