import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { hasErrorCode } from '@svc/database-server/system/system-error.ts';
import { sourceDigest } from '@svc/program/build/source-digest.ts';

/** Programs that run as processes of their own, by folder. */
export const PROGRAMS = ['control-plane', 'gateway', 'worker'] as const;
export type BundledProgram = (typeof PROGRAMS)[number];

const OWN_PACKAGES = [
  ...[
    'catalogue',
    'contract',
    'domain',
    'egress',
    'enforcement',
    'fairness',
    'http',
    'keyring',
    'mail',
    'operations',
    'peers',
    'policy',
    'runtimes',
  ],
  ...['postgres', 'program', 'shared-state', 'solver'],
];

/** Inputs of bundles. Installed packages are pinned by the lock file; this package does the bundling. */
const SOURCES = [
  ...OWN_PACKAGES.flatMap((name) => [`packages/${name}/src`, `packages/${name}/package.json`]),
  ...PROGRAMS.flatMap((name) => [`apps/${name}/src`, `apps/${name}/package.json`]),
  'apps/launcher/src/bundle',
  'package-lock.json',
];

/** True if a change of this file, relative to the project, changes bundles. */
export const isListed = (file: string): boolean => file.includes('node_modules/') || SOURCES.some((name) => file.startsWith(`${name}/`));

const KEPT_CHARACTERS = 32;

/** Returns the folder of all bundles, with a folder for each state of the sources. */
export const getBundlesFolder = (projectRoot: string): string => path.join(projectRoot, 'dist', 'programs');

/**
 * Returns the folder for bundles of the current sources, built or not. It is derived from the content of the sources, so that no start runs
 * outdated code, and from their location, since a bundle reads files next to them.
 */
export const bundleFolder = (projectRoot: string): string => {
  const sources = sourceDigest(projectRoot, SOURCES, (file) => !file.endsWith('.test.ts'));
  const digest = createHash('sha256').update(`${projectRoot}\n${sources}`).digest('hex');
  return path.join(getBundlesFolder(projectRoot), digest.slice(0, KEPT_CHARACTERS));
};

/** List of the files in a folder of bundles, with their sizes. */
export const LIST = 'files.json';

/** Returns the size of each file in a folder of bundles, except the list. */
export const readSizes = (folder: string): Readonly<Record<string, number>> => {
  const names = readdirSync(folder).filter((name) => name !== LIST);
  return Object.fromEntries(names.map((name) => [name, statSync(path.join(folder, name)).size]));
};

/** True if the bundles are in the project itself: behind a symbolic link installed packages are not found. */
export const isInsideProject = (folder: string): boolean => {
  const [all, projectRoot] = [path.dirname(folder), path.resolve(folder, '..', '..', '..')];
  return realpathSync(all) === getBundlesFolder(realpathSync(projectRoot));
};

/** True if a folder of bundles is complete; an interrupted copy or a crash may leave a part. */
export const isWhole = (folder: string): boolean => {
  try {
    const sizes = readSizes(folder);
    const listed = JSON.parse(readFileSync(path.join(folder, LIST), 'utf8')) as Readonly<Record<string, number>>;
    const isComplete =
      PROGRAMS.every((name) => `${name}.mjs` in listed) && Object.entries(listed).every(([name, size]) => sizes[name] === size);
    return isComplete && isInsideProject(folder);
  } catch (error) {
    if (error instanceof SyntaxError || hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'EISDIR')) return false;
    throw error;
  }
};

/** Returns the bundle of a program in such a folder. */
export const getBundle = (folder: string, program: BundledProgram): string => path.join(folder, `${program}.mjs`);

/** Returns the source of a program, which can run too, with a longer start and more memory. */
export const getSource = (projectRoot: string, program: BundledProgram): string =>
  path.join(projectRoot, 'apps', program, 'src', 'main.ts');

/** Returns the file that a start of a program runs: its bundle if it exists, else its source. */
export const getRunnable = (projectRoot: string, bundles: string | undefined, program: BundledProgram): string =>
  bundles !== undefined && isWhole(bundles) ? getBundle(bundles, program) : getSource(projectRoot, program);
