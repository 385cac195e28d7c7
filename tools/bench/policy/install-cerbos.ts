import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

export const CERBOS_VERSION = '0.51.0';

const folder = path.resolve(import.meta.dirname, '..', '..', '..', '.cache', 'policy-bench');
const program = path.join(
  folder,
  'node_modules',
  '@cerbos',
  `cerbos-${process.platform}-${process.arch}`,
  `cerbos-${process.platform}-${process.arch}`,
);

/**
 * Installs the program of npm's package `cerbos`: 30 MB that only this bench needs, so it is no dependency of the project and is fetched at
 * the first run. Returns the reason if npm cannot install it.
 */
export const installCerbos = async (): Promise<{ readonly program: string } | { readonly missing: string }> => {
  if (existsSync(program)) return { program };
  mkdirSync(folder, { recursive: true });
  const quiet = ['--no-audit', '--no-fund', '--no-save', '--no-package-lock', '--loglevel=error'];
  const output = await promisify(execFile)('npm', ['install', '--prefix', folder, ...quiet, `cerbos@${CERBOS_VERSION}`], {
    cwd: folder,
  }).then(
    () => 'npm has no build of it for this machine',
    (error: Error) => error.message.split('\n').slice(0, 3).join(' '),
  );
  return existsSync(program) ? { program } : { missing: output };
};
