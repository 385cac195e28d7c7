import { closeSync, constants, openSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ProcessAccount } from './choose-account.ts';

/** Returns true if the permission bits let the account enter every folder of a path and use the path itself. */
export const canReach = (target: string, account: ProcessAccount): boolean => {
  const real = realpathSync(target);
  const steps = real.split(path.sep).filter((step) => step !== '');
  return ['/', ...steps.map((_, index) => `/${steps.slice(0, index + 1).join('/')}`)].every((step) => mayEnter(step, account));
};

/** Paths of folders as a child process should name them. */
export type HandedFolders = {
  readonly names: readonly string[];
  /** File descriptors that follow the three standard streams in the child's stdio. */
  readonly descriptors: readonly number[];
  /** Call once the child is started. */
  readonly close: () => void;
};

/**
 * Passes folders to a child as open file descriptors. An unprivileged account cannot walk to a folder under, say, /root, even to one that
 * it
 * owns. Opened here and inherited, the folder is reached through /proc/self/fd without its parents, and no permissions are widened.
 */
export const handFolders = (folders: readonly string[], account: ProcessAccount | undefined): HandedFolders => {
  if (account === undefined || folders.every((folder) => canReach(folder, account))) {
    return { names: folders, descriptors: [], close: () => {} };
  }
  const descriptors = folders.map((folder) => openSync(folder, constants.O_RDONLY));
  return {
    names: folders.map((_, index) => `/proc/self/fd/${index + 3}`),
    descriptors,
    close: () =>
      descriptors.forEach((descriptor) => {
        closeSync(descriptor);
      }),
  };
};

const mayEnter = (step: string, account: ProcessAccount): boolean => {
  const { mode, uid, gid } = statSync(step);
  if (uid === account.uid) return (mode & 0o100) !== 0;
  if (gid === account.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
};
