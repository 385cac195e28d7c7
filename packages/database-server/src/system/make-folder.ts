import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { hasErrorCode } from './system-error.ts';

/**
 * Creates a folder and its missing parents. Not with the recursive mkdir: on file systems that answer ENOENT to any new name, such as /proc
 * and automounted ones, Node repeats that for ever.
 */
export const makeFolder = (folder: string, mode: number): void => {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return;
  if (found === undefined) makeFolder(path.dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // A concurrent start may have been faster; a file of that name is still an error.
    if (!hasErrorCode(error, 'EEXIST') || !statSync(folder).isDirectory()) throw error;
  }
};
