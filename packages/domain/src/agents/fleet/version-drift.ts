import type { VersionDrift } from '@svc/contract/agents/fleet/client-libraries.ts';

const NUMBERED = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(-[0-9A-Za-z.-]+)?(?:\+.*)?$/;

/** Returns the three numbers and if it is a release; undefined for another form. A pre-release is older than its release. */
const listParts = (version: string): readonly number[] | undefined => {
  const found = NUMBERED.exec(version);
  if (!found) return undefined;
  const [, major = '0', minor = '0', patch = '0', before] = found;
  return [Number(major), Number(minor), Number(patch), before === undefined ? 1 : 0];
};

/** Compares one version with another. Both are claims of a client. */
export const versionDrift = (version: string, reference: string): VersionDrift => {
  if (version === reference) return 'CURRENT';
  const [one, other] = [listParts(version), listParts(reference)];
  if (one === undefined || other === undefined) return 'UNKNOWN';
  for (const [index, part] of one.entries()) {
    const against = other[index] ?? 0;
    if (part !== against) return part < against ? 'OLDER' : 'NEWER';
  }
  // Two of the same number, of which at least one is not a release.
  return one[3] === 1 ? 'CURRENT' : 'UNKNOWN';
};

/** Returns the newest comparable version; the first one if none is. */
export const pickNewestVersion = (versions: readonly string[]): string =>
  versions.reduce((newest, version) => {
    const comparable = listParts(newest) !== undefined;
    return (!comparable && listParts(version) !== undefined) || versionDrift(version, newest) === 'NEWER' ? version : newest;
  });
