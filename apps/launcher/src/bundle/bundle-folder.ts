import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { failedWith } from '@svc/database-server/system/system-error.ts';
import { sourceDigest } from '@svc/program/build/source-digest.ts';

/** The programs of the service that run as processes of their own, by their folders. */
export const PROGRAMS = ['control-plane', 'gateway', 'worker'] as const;
export type Program = (typeof PROGRAMS)[number];

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

/** What bundles are made of. What is installed stands in the lock file, and how it is put together in this room. */
const SOURCES = [
  ...OWN_PACKAGES.flatMap((name) => [`packages/${name}/src`, `packages/${name}/package.json`]),
  ...PROGRAMS.flatMap((name) => [`apps/${name}/src`, `apps/${name}/package.json`]),
  'apps/launcher/src/bundle',
  'package-lock.json',
];

/** Whether a change of this file, named from the project's folder, makes other bundles. */
export const isListed = (file: string): boolean => file.includes('node_modules/') || SOURCES.some((name) => file.startsWith(`${name}/`));

const KEPT_CHARACTERS = 32;

/** Where all bundles lie, a folder for each state of the sources. */
export const bundlesFolder = (projectRoot: string): string => path.join(projectRoot, 'dist', 'programs');

/**
 * Where the bundles of the sources lie as they stand now, whether or not they were made: by what is in the sources, so that no start runs code
 * of yesterday, and by where these lie, since a bundle reads what lies beside them and would read it from where a moved project was.
 */
export const bundleFolder = (projectRoot: string): string => {
  const sources = sourceDigest(projectRoot, SOURCES, (file) => !file.endsWith('.test.ts'));
  const digest = createHash('sha256').update(`${projectRoot}\n${sources}`).digest('hex');
  return path.join(bundlesFolder(projectRoot), digest.slice(0, KEPT_CHARACTERS));
};

/** The list of all files of a folder of bundles, with their sizes. */
export const LIST = 'files.json';

/** The size of each file of a folder of bundles but the list. */
export const sizesOf = (folder: string): Readonly<Record<string, number>> => {
  const names = readdirSync(folder).filter((name) => name !== LIST);
  return Object.fromEntries(names.map((name) => [name, statSync(path.join(folder, name)).size]));
};

/** Whether the bundles lie in the project itself: from where a link leads to, nothing that is installed is found. */
export const liesInside = (folder: string): boolean => {
  const [all, projectRoot] = [path.dirname(folder), path.resolve(folder, '..', '..', '..')];
  return realpathSync(all) === bundlesFolder(realpathSync(projectRoot));
};

/** Whether a folder of bundles is there with all that was made, as a copy that broke off or a disk that was cut off may not leave it. */
export const isWhole = (folder: string): boolean => {
  try {
    const sizes = sizesOf(folder);
    const listed = JSON.parse(readFileSync(path.join(folder, LIST), 'utf8')) as Readonly<Record<string, number>>;
    const isComplete =
      PROGRAMS.every((name) => `${name}.mjs` in listed) && Object.entries(listed).every(([name, size]) => sizes[name] === size);
    return isComplete && liesInside(folder);
  } catch (error) {
    if (error instanceof SyntaxError || failedWith(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'EISDIR')) return false;
    throw error;
  }
};

/** The bundle of a program in such a folder. */
export const bundleOf = (folder: string, program: Program): string => path.join(folder, `${program}.mjs`);

/** What it is made of, which runs as well, after a longer start and in more memory. */
export const sourceOf = (projectRoot: string, program: Program): string => path.join(projectRoot, 'apps', program, 'src', 'main.ts');

/** What a start of a program runs: its bundle where that was made and is still there. */
export const runnableOf = (projectRoot: string, bundles: string | undefined, program: Program): string =>
  bundles !== undefined && isWhole(bundles) ? bundleOf(bundles, program) : sourceOf(projectRoot, program);
