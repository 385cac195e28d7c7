import { chmodSync, copyFileSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseServerFault } from '@svc/postgres/migrate/database-server-fault.ts';
import type { ProcessAccount } from '../account/choose-account.ts';
import { canReach } from '../account/reach-as.ts';
import { hasErrorCode } from '../system/system-error.ts';
import type { NativeFolder } from './find-native-folder.ts';
import { repairLinksInPlace } from './repair-library-links.ts';

/**
 * Copies PostgreSQL to a folder that the account can reach, for a project in a folder that it cannot (under /root, say).
 * Reuses an earlier complete copy. Returns the copy's native folder.
 */
export const copyBinaries = (
  source: NativeFolder,
  account: ProcessAccount,
  log: (line: string) => void = () => {},
  // Not the temporary folder first: cleaners delete single old files in it while the server still needs them.
  bases: readonly string[] = ['/var/cache', tmpdir(), '/tmp'],
): string => {
  const base = bases.find((folder) => existsSync(folder) && canReach(folder, account) && isWritable(folder));
  if (base === undefined) {
    throw new DatabaseServerFault(
      `PostgreSQL in ${source.folder} cannot be accessed by the unprivileged user id ${account.uid}, and ${bases.join(' nor ')} cannot hold a copy. Move the project to an accessible folder, or start as a non-root user.`,
    );
  }
  const wanted = path.join(base, `agent-governance-postgres-${source.packageVersion}`);
  if (isOurs(wanted) && isComplete(source.folder, path.join(wanted, 'native'))) return path.join(wanted, 'native');
  const copy = placeCopy(source.folder, base, wanted);
  log(`PostgreSQL runs from a copy in ${copy}, because user id ${account.uid} cannot access ${source.folder}.`);
  return copy;
};

const placeCopy = (source: string, base: string, wanted: string): string => {
  const fresh = mkdtempSync(path.join(base, 'agent-governance-postgres-'));
  chmodSync(fresh, 0o711);
  copyTree(source, path.join(fresh, 'native'));
  repairLinksInPlace(path.join(fresh, 'native'));
  if (isOurs(wanted)) rmSync(wanted, { recursive: true, force: true });
  try {
    renameSync(fresh, wanted);
    return path.join(wanted, 'native');
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST', 'ENOTEMPTY', 'ENOTDIR', 'EPERM', 'EACCES')) throw error;
  }
  // Another start was faster, or another user has taken the name in a world-writable folder: then our own copy keeps its random name.
  if (!(isOurs(wanted) && isComplete(source, path.join(wanted, 'native')))) return path.join(fresh, 'native');
  rmSync(fresh, { recursive: true, force: true });
  return path.join(wanted, 'native');
};

/** Files that the server never opens: static libraries, build files, and the client library for embedded C. */
const isLeftOut = (name: string): boolean => name.endsWith('.a') || name.startsWith('libecpg') || name === 'pkgconfig' || name === 'pgxs';

const copyTree = (from: string, to: string): void => {
  mkdirSync(to, { mode: 0o755 });
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (isLeftOut(entry.name) || entry.isSymbolicLink()) continue;
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) copyTree(source, target);
    else {
      copyFileSync(source, target);
      chmodSync(target, (statSync(source).mode & 0o100) !== 0 ? 0o755 : 0o644);
    }
  }
};

const isComplete = (from: string, to: string): boolean =>
  readdirSync(from, { withFileTypes: true }).every((entry) => {
    if (isLeftOut(entry.name)) return true;
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (!existsSync(target)) return false;
    return entry.isDirectory() ? isComplete(source, target) : statSync(source).size === statSync(target).size;
  });

/**
 * Returns true if we own the folder and no one else can write to it: in a world-writable folder another user may have taken the name first.
 */
const isOurs = (folder: string): boolean => {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.geteuid?.() && (found.mode & 0o022) === 0;
};

const isWritable = (folder: string): boolean => {
  try {
    rmSync(mkdtempSync(path.join(folder, 'agent-governance-')), { recursive: true });
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOSPC')) return false;
    throw error;
  }
};
