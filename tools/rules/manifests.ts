import type { Finding, Rule, Tree } from '../tree.ts';

const exact = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
const dependencyFields = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

const wrongVersions = (tree: Tree, path: string): Finding[] => {
  const manifest: Partial<Record<(typeof dependencyFields)[number], Record<string, string>>> = JSON.parse(tree.text(path));
  return dependencyFields.flatMap((field) =>
    Object.entries(manifest[field] ?? {})
      .filter(([, version]) => !exact.test(version))
      .map(([name, version]) => ({ path, says: `${name} is asked for as ${version}; pin it exactly` })),
  );
};

const wrongLock = (tree: Tree): Finding[] => {
  const path = 'package-lock.json';
  if (!tree.has(path)) return [{ path, says: 'is missing; installs would differ from one day to the next' }];
  const lines = tree.text(path).split('\n');
  return lines.flatMap((text, index) =>
    /"resolved":\s*"https?:/.test(text)
      ? [{ path, line: index + 1, says: 'holds a download address; install with the .npmrc of the project' }]
      : [],
  );
};

/** What is installed is the same everywhere, and from whatever registry the reader uses. */
export const manifests: Rule = (tree) => [
  ...tree.paths.filter((path) => /(^|\/)package\.json$/.test(path)).flatMap((path) => wrongVersions(tree, path)),
  ...wrongLock(tree),
];
