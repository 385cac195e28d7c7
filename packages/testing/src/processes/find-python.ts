import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Debian's interpreter first, for which apt-get installs the library. */
const CANDIDATES = ['/usr/bin/python3', 'python3'];

const CHECK = 'import sys, cryptography; sys.exit(sys.version_info < (3, 10))';
const find = (): string | undefined => CANDIDATES.find((python) => spawnSync(python, ['-c', CHECK], { stdio: 'ignore' }).status === 0);

const install = (): void => {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  const apt = (...aptArgs: string[]) => spawnSync('apt-get', aptArgs, { stdio: 'ignore', timeout: 300_000 });
  apt('update', '-qq');
  apt('install', '-y', '-qq', '--no-install-recommends', 'python3', 'python3-cryptography');
};

/** Finds a Python of at least 3.10 with `cryptography`; `missing` is the sentence to skip with, or false. */
export const findPython = (): { readonly python: string; readonly missing: string | false } => {
  if (find() === undefined) install();
  const python = find();
  const missing = 'there is no python3 (3.10 or newer) with cryptography: apt-get install python3 python3-cryptography';
  return { python: python ?? '', missing: python === undefined && missing };
};
