import type { ProjectRule, RuleFinding, Tree } from '../tree.ts';

const exact = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
const dependencyFields = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

const wrongVersions = (tree: Tree, path: string): RuleFinding[] => {
  const manifest: Partial<Record<(typeof dependencyFields)[number], Record<string, string>>> = JSON.parse(tree.text(path));
  return dependencyFields.flatMap((field) =>
    Object.entries(manifest[field] ?? {})
      .filter(([, version]) => !exact.test(version))
      .map(([name, version]) => ({ path, says: `${name} has the version range ${version}; pin it exactly` })),
  );
};

const lockPath = 'package-lock.json';

type Locked = Readonly<Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>>;

/** True if a dependency of a package is locked in its folder or in any folder above. */
const isLocked = (packages: Locked, from: string, name: string): boolean => {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (Object.hasOwn(packages, path)) return true;
  return from !== '' && isLocked(packages, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
};

/** `npm ci` refuses a lock file on every platform if it was created while the registry lacked a build for one. */
const missingPlatforms = (tree: Tree): RuleFinding[] => {
  const { packages = {} }: { packages?: Locked } = JSON.parse(tree.text(lockPath));
  return Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !isLocked(packages, from, name))
      .map(([name, version]) => ({
        path: lockPath,
        says: `lacks ${name} ${version} of ${from}; choose a version of it whose platforms are all to be had`,
      })),
  );
};

const downloadAddresses = (tree: Tree): RuleFinding[] => {
  const path = lockPath;
  const lines = tree.text(path).split('\n');
  return lines.flatMap((text, index) =>
    /"resolved":\s*"https?:/.test(text)
      ? [{ path, line: index + 1, says: 'holds a download address; install with the .npmrc of the project' }]
      : [],
  );
};

/** Checks that an install is the same everywhere, from any registry. */
export const checkManifests: ProjectRule = (tree) => [
  ...tree.paths.filter((path) => /(^|\/)package\.json$/.test(path)).flatMap((path) => wrongVersions(tree, path)),
  ...(tree.has(lockPath)
    ? [...missingPlatforms(tree), ...downloadAddresses(tree)]
    : [{ path: lockPath, says: 'is missing; installs would differ from one day to the next' }]),
];
