import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Everything that the packages are built from. */
const PARTS = ['apps', 'packages', 'sdks', 'verifier', 'LICENSE', 'package.json', 'package-lock.json', 'tsconfig.json', '.npmrc'];

const git = (root: string, ...words: readonly string[]): string =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20 });

export type Revision = { readonly commit: string; readonly isClean: boolean };

/** The commit that the files are from. Not clean if a file differs from it. */
export const readRevision = (root: string): Revision => ({
  commit: git(root, 'rev-parse', 'HEAD').trim(),
  isClean: git(root, 'status', '--porcelain').trim() === '',
});

/** Links what is installed, except for the packages of the project, which link to the exported ones. */
const linkInstalled = (root: string, folder: string): void => {
  const installed = path.join(root, 'node_modules');
  const target = path.join(folder, 'node_modules');
  mkdirSync(path.join(target, '@svc'), { recursive: true });
  for (const name of readdirSync(installed)) if (name !== '@svc') symlinkSync(path.join(installed, name), path.join(target, name));
  for (const kind of ['apps', 'packages'])
    for (const name of readdirSync(path.join(folder, kind))) {
      symlinkSync(path.join(folder, kind, name), path.join(target, '@svc', name));
      const own = path.join(root, kind, name, 'node_modules');
      if (existsSync(own)) symlinkSync(own, path.join(folder, kind, name, 'node_modules'));
    }
};

/**
 * Copies the tracked files that packages are built from to a temporary folder and returns it: a build there contains no ignored file and
 * disturbs no other build.
 */
export const exportTree = (root: string): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'release-'));
  const present = PARTS.filter((name) => existsSync(path.join(root, name)));
  for (const name of git(root, 'ls-files', '-z', '--', ...present).split('\0')) {
    if (name === '' || !existsSync(path.join(root, name))) continue;
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    cpSync(path.join(root, name), path.join(folder, name));
  }
  linkInstalled(root, folder);
  return folder;
};
