import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A package of npm, pinned by the digest of its archive. */
export type PinnedPackage = {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
  /** Folder with the package and what it depends on. */
  readonly folder: string;
  /** Name of the program, for a package that has several. */
  readonly bin?: string;
};

/** A package that is not the pinned one, or cannot be had. */
export class PackageError extends Error {}

type Locked = { readonly version?: unknown; readonly integrity?: unknown };

const readJson = (path: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error && error.code === 'ENOENT')) return undefined;
    throw error;
  }
};

const readLocked = ({ folder, name }: PinnedPackage): Locked | undefined => {
  const packages = readJson(join(folder, 'package-lock.json'))?.packages as Readonly<Record<string, Locked>> | undefined;
  return packages?.[`node_modules/${name}`];
};

/** True if a package of this name is installed in the folder, in any version. */
export const isInstalled = (pinned: PinnedPackage): boolean => readLocked(pinned) !== undefined;

/** Throws unless the installed package is the pinned one. */
const checkPin = (pinned: PinnedPackage): void => {
  const { name, version, integrity, folder } = pinned;
  const locked = readLocked(pinned);
  if (locked === undefined) throw new PackageError(`${name} is not installed in ${folder}.`);
  if (locked.version !== version || locked.integrity !== integrity)
    throw new PackageError(`${name} in ${folder} is not the pinned version ${version} with the pinned integrity.`);
};

/** The file that runs a pinned package. */
export const findProgram = (pinned: PinnedPackage): string => {
  checkPin(pinned);
  const { folder, name } = pinned;
  const root = join(folder, 'node_modules', name);
  const { bin } = readJson(join(root, 'package.json')) ?? {};
  const named = typeof bin === 'object' && bin !== null ? (bin as Readonly<Record<string, unknown>>) : { [name]: bin };
  // If there are several programs, npm runs the one that is named like the package.
  const own = named[name.slice(name.indexOf('/') + 1)] ?? Object.values(named)[0];
  const chosen = pinned.bin === undefined ? own : named[pinned.bin];
  if (typeof chosen !== 'string') throw new PackageError(`${name} has no program${pinned.bin === undefined ? '' : ` ${pinned.bin}`}.`);
  return join(root, chosen);
};

const INSTALL_MS = 300_000;

/** Environment of npm; that of this process if it is left out. */
export type InstallOptions = { readonly env?: Readonly<Record<string, string | undefined>> };

/** Installs a pinned package without its scripts. npm compares the archive with the integrity of the registry, and this with the pinned one. */
export const installPackage = (pinned: PinnedPackage, { env }: InstallOptions = {}): void => {
  const { folder, name, version } = pinned;
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', `${name}@${version}`];
  const { status } = spawnSync('npm', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: INSTALL_MS,
    ...(env === undefined ? {} : { env }),
  });
  if (status !== 0) throw new PackageError(`npm could not install ${name}@${version}.`);
  checkPin(pinned);
};

/** Installs a pinned package in a temporary folder, and moves it once it is the pinned one. If two processes install it, one folder stays. */
export const installPackageAside = (pinned: PinnedPackage, options: InstallOptions = {}): void => {
  mkdirSync(dirname(pinned.folder), { recursive: true });
  const aside = mkdtempSync(`${pinned.folder}-`);
  try {
    installPackage({ ...pinned, folder: aside }, options);
    renameSync(aside, pinned.folder);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'ENOTEMPTY' || error.code === 'EEXIST'))) throw error;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
};
