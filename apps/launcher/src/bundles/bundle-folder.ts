import { existsSync } from 'node:fs';
import path from 'node:path';
import { sourceDigest } from '@svc/program/build/source-digest.ts';

/** The programs of the service that run as processes of their own, by their folders. */
export const PROGRAMS = ['control-plane', 'gateway', 'worker'] as const;
export type Program = (typeof PROGRAMS)[number];

const OWN_PACKAGES = [
  ...['contract', 'domain', 'egress', 'enforcement', 'http', 'keyring', 'mail', 'operations', 'policy'],
  ...['postgres', 'program', 'shared-state', 'solver', 'turns'],
];

/** What bundles are made of. What is installed stands in the lock file, and how it is put together in this room. */
const SOURCES = [
  ...OWN_PACKAGES.flatMap((name) => [`packages/${name}/src`, `packages/${name}/package.json`]),
  ...PROGRAMS.flatMap((name) => [`apps/${name}/src`, `apps/${name}/package.json`]),
  'apps/launcher/src/bundles',
  'package-lock.json',
];

/** Whether a change of this file, named from the project's folder, makes other bundles. */
export const isListed = (file: string): boolean => file.includes('node_modules/') || SOURCES.some((name) => file.startsWith(`${name}/`));

const KEPT_CHARACTERS = 32;

/** Where all bundles lie, a folder for each state of the sources. */
export const bundlesFolder = (projectRoot: string): string => path.join(projectRoot, 'dist', 'programs');

/** Where the bundles of the sources lie as they stand now, whether or not they were made: by what is in the sources, so that no start runs code of yesterday. */
export const bundleFolder = (projectRoot: string): string => {
  const digest = sourceDigest(projectRoot, SOURCES, (file) => !file.endsWith('.test.ts'));
  return path.join(bundlesFolder(projectRoot), digest.slice(0, KEPT_CHARACTERS));
};

/** The bundle of a program in such a folder. */
export const bundleOf = (folder: string, program: Program): string => path.join(folder, `${program}.mjs`);

/** What it is made of, which runs as well, after a longer start and in more memory. */
export const sourceOf = (projectRoot: string, program: Program): string => path.join(projectRoot, 'apps', program, 'src', 'main.ts');

/** What a start of a program runs: its bundle where that was made and is still there. */
export const runnableOf = (projectRoot: string, bundles: string | undefined, program: Program): string => {
  const bundle = bundles === undefined ? undefined : bundleOf(bundles, program);
  return bundle !== undefined && existsSync(bundle) ? bundle : sourceOf(projectRoot, program);
};
