import { rmdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { hasErrorCode } from '@svc/database-server/system/system-error.ts';

const isThere = (folder: string): boolean => {
  try {
    return statSync(folder, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // Below a file, or with an invalid name: reported when the folder is created.
    if (hasErrorCode(error, 'ENOTDIR', 'ENAMETOOLONG', 'EACCES', 'EPERM', 'ELOOP')) return false;
    throw error;
  }
};

/** Returns a folder and its parents that do not exist yet, the innermost first. */
export const listMissingFolders = (folder: string): readonly string[] =>
  isThere(folder) || path.dirname(folder) === folder ? [] : [folder, ...listMissingFolders(path.dirname(folder))];

/** Removes folders that were created in vain, unless another file is in them by now. */
export const removeCreatedFolders = (folders: readonly string[]): void => {
  for (const folder of folders) {
    try {
      rmdirSync(folder);
    } catch (error) {
      if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST', 'ENAMETOOLONG', 'EACCES', 'EPERM', 'EROFS', 'EBUSY', 'ELOOP'))
        throw error;
    }
  }
};
