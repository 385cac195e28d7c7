import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const KEPT = path.join(root, '.cache', 'versions');

const mustRun = (words: readonly string[], cwd: string): void => {
  const [program = '', ...rest] = words;
  const { status, stderr, stdout, error } = spawnSync(program, rest, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Error(`${words.join(' ')} failed: ${error ?? (stderr || stdout).slice(-2_000)}`);
};

/** Returns the folder of this project as of a commit, with its own packages. It is made once and kept in `.cache`. */
export const prepareVersion = (commit: string): string => {
  const folder = path.join(KEPT, commit);
  if (existsSync(folder)) return folder;
  mkdirSync(KEPT, { recursive: true });
  const made = mkdtempSync(path.join(KEPT, 'making-'));
  try {
    const archive = path.join(made, 'version.tar');
    mustRun(['git', 'archive', '--output', archive, commit], root);
    mustRun(['tar', '--extract', '--file', archive], made);
    rmSync(archive);
    mustRun(['npm', 'ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], made);
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    throw error;
  }
  return folder;
};
