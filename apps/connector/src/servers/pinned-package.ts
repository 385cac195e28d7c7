import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PinnedPackage } from '../configuration/configuration.ts';
import { ConfigurationError } from '../configuration/read-configuration.ts';

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

const INSTALL = 'Run: node apps/connector/src/main.ts install <configuration>';

const readLocked = ({ folder, name }: PinnedPackage): Locked | undefined => {
  const packages = readJson(join(folder, 'package-lock.json'))?.packages as Readonly<Record<string, Locked>> | undefined;
  return packages?.[`node_modules/${name}`];
};

/** Throws unless the installed package is the one that the configuration pins. */
const checkPin = (pinned: PinnedPackage): void => {
  const { name, version, integrity, folder } = pinned;
  const locked = readLocked(pinned);
  if (locked === undefined) throw new ConfigurationError(`${name} is not installed in ${folder}. ${INSTALL}`);
  if (locked.version !== version || locked.integrity !== integrity)
    throw new ConfigurationError(`${name} in ${folder} is not the pinned version ${version} with the pinned integrity.`);
};

/** The file that runs a pinned package. */
export const findProgram = (pinned: PinnedPackage): string => {
  checkPin(pinned);
  const { folder, name } = pinned;
  const root = join(folder, 'node_modules', name);
  const { bin } = readJson(join(root, 'package.json')) ?? {};
  const named = typeof bin === 'object' && bin !== null ? (bin as Readonly<Record<string, unknown>>) : { [name]: bin };
  const chosen = pinned.bin === undefined ? Object.values(named)[0] : named[pinned.bin];
  if (typeof chosen !== 'string')
    throw new ConfigurationError(`${name} has no program${pinned.bin === undefined ? '' : ` ${pinned.bin}`}.`);
  return join(root, chosen);
};

const INSTALL_MS = 300_000;

/** Installs a pinned package without its scripts. npm compares the archive with the integrity of the registry, and this with the pinned one. */
export const installPackage = (pinned: PinnedPackage): void => {
  const { folder, name, version } = pinned;
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', `${name}@${version}`];
  const { status } = spawnSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: INSTALL_MS });
  if (status !== 0) throw new ConfigurationError(`npm could not install ${name}@${version}.`);
  checkPin(pinned);
};
