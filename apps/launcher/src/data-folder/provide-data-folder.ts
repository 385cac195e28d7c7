import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@svc/database-server/system/make-folder.ts';
import { hasErrorCode } from '@svc/database-server/system/system-error.ts';

/** Creates the data folder and checks that it is writable. Returns what is wrong, or undefined. */
export const provideDataFolder = (dataDir: string): string | undefined => {
  try {
    // Traversable under root, where the database runs as another user; each secret inside is protected itself.
    makeFolder(dataDir, process.geteuid?.() === 0 ? 0o711 : 0o700);
    rmSync(mkdtempSync(path.join(dataDir, '.write-test-')), { recursive: true });
    return undefined;
  } catch (error) {
    if (hasErrorCode(error, 'ENOSPC', 'EDQUOT'))
      return `The disk of the data folder ${dataDir} is full. Free some space, or choose another folder with DATA_DIR.`;
    if (hasErrorCode(error, 'ENAMETOOLONG'))
      return `The data folder ${dataDir.slice(0, 100)}... has a longer name than this system takes: choose a shorter one with DATA_DIR.`;
    if (hasErrorCode(error, 'ENOTDIR', 'EEXIST'))
      return `The data folder ${dataDir} is a file, or lies below one: choose a folder, for example DATA_DIR=$HOME/governance-data npm start.`;
    if (!hasErrorCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOENT')) throw error;
    return `The data folder ${dataDir} cannot be written: give yourself the right to, or choose another, for example DATA_DIR=$HOME/governance-data npm start.`;
  }
};
