// Where packages come from and what of them may run at installation, by lockfile and package.json.

export interface LockedPackage {
  resolved?: string;
  integrity?: string;
  link?: boolean;
  /** Lies in the archive of the package above it, whose hash covers it. */
  inBundle?: boolean;
  hasInstallScript?: boolean;
}

const nameOf = (place: string) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

/**
 * Entries that come from a place of their own or that no hash vouches for. Which registry the others come from the settings
 * of the installation say: the lockfile names no host.
 */
export function unhashed(packages: Readonly<Record<string, LockedPackage>>): string[] {
  return Object.entries(packages)
    .filter(([place]) => place !== '')
    .filter(([, { resolved, integrity = '', link, inBundle }]) => {
      const hashed = inBundle === true || integrity.startsWith('sha512-');
      return link === true || resolved !== undefined || !hashed;
    })
    .map(([place]) => place);
}

/** Packages that want to run something when they are installed. */
export function wantingScripts(packages: Readonly<Record<string, LockedPackage>>): string[] {
  const names = Object.entries(packages)
    .filter(([, entry]) => entry.hasInstallScript === true)
    .map(([place]) => nameOf(place));
  return [...new Set(names)].sort();
}
