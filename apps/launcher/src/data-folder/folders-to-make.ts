import { rmdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { failedWith } from '@svc/database-server/system/system-error.ts';

const isThere = (folder: string): boolean => {
  try {
    return statSync(folder, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // Below a file, or a name that the system does not take: told as such by whoever makes the folder.
    if (failedWith(error, 'ENOTDIR', 'ENAMETOOLONG', 'EACCES', 'EPERM', 'ELOOP')) return false;
    throw error;
  }
};

/** A folder and those above it that are not there yet, the innermost first. */
export const foldersToMake = (folder: string): readonly string[] =>
  isThere(folder) || path.dirname(folder) === folder ? [] : [folder, ...foldersToMake(path.dirname(folder))];

/** Takes folders away that were made for nothing. What somebody put into one meanwhile keeps it. */
export const unmakeFolders = (folders: readonly string[]): void => {
  for (const folder of folders) {
    try {
      rmdirSync(folder);
    } catch (error) {
      if (!failedWith(error, 'ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST', 'ENAMETOOLONG', 'EACCES', 'EPERM', 'EROFS', 'EBUSY', 'ELOOP'))
        throw error;
    }
  }
};
