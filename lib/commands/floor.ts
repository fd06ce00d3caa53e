// The oldest versions that may serve, by floor.json. Raised when an advisory concerns us; verify fails below it.

/** Whether a version is older than the floor; suffixes such as `-beta.17` are left out of the comparison. */
export function isBelow(installed: string, floor: string): boolean {
  const [have, want] = [installed, floor].map(numbersOf);
  for (let index = 0; index < Math.max(have!.length, want!.length); index += 1) {
    const difference = (have![index] ?? 0) - (want![index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function numbersOf(version: string): number[] {
  const [plain = ''] = /^\d+(\.\d+)*/.exec(version.replace(/^v/, '')) ?? [];
  if (plain === '') throw new Error(`no version: ${version}`);
  return plain.split('.').map(Number);
}

/** Names with their versions where something is missing or too old. */
export function belowFloor(
  floor: Readonly<Record<string, string>>,
  installed: (name: string) => string | null,
): string[] {
  return Object.entries(floor).flatMap(([name, least]) => {
    const version = installed(name);
    if (version === null) return [`${name} is not installed, and floor.json names it`];
    return isBelow(version, least) ? [`${name} ${version} is below ${least}`] : [];
  });
}
