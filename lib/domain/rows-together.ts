import { isBlank } from './visible-text';

/** Where a record id was seen: told every row in the sheet's order first, asked about each afterwards. */
export class RecordIds {
  private readonly seen = new Map<string, { first: number; second: number | null }>();

  see(id: string, row: number): void {
    if (isBlank(id)) return;
    const known = this.seen.get(id);
    if (known === undefined) this.seen.set(id, { first: row, second: null });
    else known.second ??= row;
  }

  /** The first other row with the same id. */
  otherThan(row: number, id: string): number | null {
    const known = this.seen.get(id);
    if (known === undefined) return null;
    return known.first === row ? known.second : known.first;
  }
}

/** Which new versions a key has, told and asked in the same way. A missing version is none. */
export class NewVersions {
  private readonly seen = new Map<string, { version: string; first: number; other: number | null }>();

  see(key: string, version: string, row: number): void {
    if (isBlank(key) || isBlank(version)) return;
    const known = this.seen.get(key);
    if (known === undefined) this.seen.set(key, { version, first: row, other: null });
    else if (known.version !== version) known.other ??= row;
  }

  /** The first row of this key with another new version than this one has; null while the key has one version. */
  otherThan(version: string, key: string): number | null {
    const known = this.seen.get(key);
    if (known === undefined || known.other === null) return null;
    return known.version === version ? known.other : known.first;
  }
}
