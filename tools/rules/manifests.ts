import type { ProjectRule, RuleFinding, Tree } from '../tree.ts';

const EXACT_VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
const DEPENDENCY_FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

const findVersionRanges = (tree: Tree, path: string): RuleFinding[] => {
  const manifest: Partial<Record<(typeof DEPENDENCY_FIELDS)[number], Record<string, string>>> = JSON.parse(tree.text(path));
  return DEPENDENCY_FIELDS.flatMap((field) =>
    Object.entries(manifest[field] ?? {})
      .filter(([, version]) => !EXACT_VERSION.test(version))
      .map(([name, version]) => ({ path, says: `${name} has the version range ${version}; pin an exact version` })),
  );
};

const lockPath = 'package-lock.json';

type LockedPackages = Readonly<Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>>;

/** True if a dependency of a package is locked in its folder or in any folder above. */
const isLocked = (packages: LockedPackages, from: string, name: string): boolean => {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (Object.hasOwn(packages, path)) return true;
  return from !== '' && isLocked(packages, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
};

/** Finds optional dependencies that the lock file lacks. `npm ci` rejects such a file, on every platform. */
const findMissingPlatforms = (tree: Tree): RuleFinding[] => {
  const { packages = {} }: { packages?: LockedPackages } = JSON.parse(tree.text(lockPath));
  return Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !isLocked(packages, from, name))
      .map(([name, version]) => ({
        path: lockPath,
        says: `lacks ${name} ${version} of ${from}; choose a version with a published build for every platform`,
      })),
  );
};

const findDownloadUrls = (tree: Tree): RuleFinding[] => {
  const path = lockPath;
  const lines = tree.text(path).split('\n');
  return lines.flatMap((text, index) =>
    /"resolved":\s*"https?:/.test(text)
      ? [{ path, line: index + 1, says: 'contains a download URL; install with the .npmrc of the project' }]
      : [],
  );
};

/** Checks that installs are reproducible: exact versions, a complete lock file, and no download URLs. */
export const checkManifests: ProjectRule = (tree) => [
  ...tree.paths.filter((path) => /(^|\/)package\.json$/.test(path)).flatMap((path) => findVersionRanges(tree, path)),
  ...(tree.has(lockPath)
    ? [...findMissingPlatforms(tree), ...findDownloadUrls(tree)]
    : [{ path: lockPath, says: 'is missing; installs would not be reproducible' }]),
];
