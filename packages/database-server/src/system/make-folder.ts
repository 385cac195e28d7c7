import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { failedWith } from './system-error.ts';

/**
 * Makes a folder and those above it that are missing. Not by mkdir's own recursion: on file systems that answer ENOENT to any
 * new name, such as /proc and automounted ones, Node repeats that for ever.
 */
export const makeFolder = (folder: string, mode: number): void => {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return;
  if (found === undefined) makeFolder(path.dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another start may have been quicker; a file of that name stays a failure.
    if (!failedWith(error, 'EEXIST') || !statSync(folder).isDirectory()) throw error;
  }
};
