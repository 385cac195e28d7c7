import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { hasErrorCode } from '../system/system-error.ts';
import { layOut } from './data-layout.ts';
import { findSocketFolder, socketPort } from './socket-folder.ts';

/**
 * Returns the owner's connection string of the embedded database in a data folder, running or not; undefined if none was created yet.
 * It names localhost although only the socket's folder counts: without a host the WHATWG URL parser rejects the string,
 * and both pg and libpq let the host parameter win.
 */
export const buildOwnerUrl = (dataDir: string): string | undefined => {
  if (!existsSync(dataDir)) return undefined;
  // Resolved like at the start: the path of a socket is limited, and a longer path to the same folder may exceed the limit.
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
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};
