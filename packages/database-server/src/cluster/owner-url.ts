import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { failedWith } from '../system/system-error.ts';
import { layOut } from './data-layout.ts';
import { findSocketFolder, socketPort } from './socket-folder.ts';

/**
 * The owner's connection string of the embedded database in a data folder, running or not; undefined when none was made yet.
 * It names localhost although the socket's folder is what counts: without a host the WHATWG URL parser refuses the string,
 * and both pg and libpq let the host parameter win.
 */
export const ownerUrl = (dataDir: string): string | undefined => {
  if (!existsSync(dataDir)) return undefined;
  // As the start does: a socket's path is limited, and a longer way to the same folder may pass the limit.
  const layout = layOut(realpathSync(dataDir));
  const folder = findSocketFolder(layout);
  const password = readOwnerPassword(layout.passwordFile);
  if (folder === undefined || password === undefined) return undefined;
  return `postgres://owner:${encodeURIComponent(password)}@localhost/postgres?host=${encodeURIComponent(path.resolve(folder))}&port=${socketPort}`;
};

const readOwnerPassword = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (failedWith(error, 'ENOENT')) return undefined;
    throw error;
  }
};
