import type { VersionDrift } from '@svc/contract/agents/fleet/client-libraries.ts';

const NUMBERED = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(-[0-9A-Za-z.-]+)?(?:\+.*)?$/;

/** Three numbers, and whether it is a release; undefined for what is not numbered. What comes before a release is older than it. */
const partsOf = (version: string): readonly number[] | undefined => {
  const found = NUMBERED.exec(version);
  if (!found) return undefined;
  const [, major = '0', minor = '0', patch = '0', before] = found;
  return [Number(major), Number(minor), Number(patch), before === undefined ? 1 : 0];
};

/** How a version stands to another. Both are what somebody says. */
export const versionDrift = (version: string, reference: string): VersionDrift => {
  if (version === reference) return 'CURRENT';
  const [one, other] = [partsOf(version), partsOf(reference)];
  if (one === undefined || other === undefined) return 'UNKNOWN';
  for (const [index, part] of one.entries()) {
    const against = other[index] ?? 0;
    if (part !== against) return part < against ? 'OLDER' : 'NEWER';
  }
  // Two of the same number, of which at least one is not a release.
  return one[3] === 1 ? 'CURRENT' : 'UNKNOWN';
};

/** The newest of versions that can be compared; the first one where none can. */
export const newestOf = (versions: readonly string[]): string =>
  versions.reduce((newest, version) => {
    const comparable = partsOf(newest) !== undefined;
    return (!comparable && partsOf(version) !== undefined) || versionDrift(version, newest) === 'NEWER' ? version : newest;
  });
