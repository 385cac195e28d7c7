import { createHash } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ProcessAccount } from '../account/choose-account.ts';
import { hasErrorCode } from '../system/system-error.ts';
import type { DataLayout } from './data-layout.ts';

/** The port is only a part of the socket's name: the server listens on no network. */
export const socketPort = 5432;

/** Maximum length of a socket path in bytes, a limit of the operating system. */
const socketPathMax = process.platform === 'darwin' ? 103 : 107;

/** Returns the folder of the socket; undefined if no start has created it yet. */
export const findSocketFolder = (layout: DataLayout): string | undefined => {
  const found = lstatSync(layout.socket, { throwIfNoEntry: false });
  return found?.isSymbolicLink() === true ? readlinkSync(layout.socket) : found?.isDirectory() === true ? layout.socket : undefined;
};

/** Creates the folder of the socket, accessible to the server's account only, and returns its path. */
export const prepareSocketFolder = (layout: DataLayout, account: ProcessAccount | undefined, log: (line: string) => void): string => {
  if (!fits(layout.socket)) return prepareShortFolder(layout, account, log);
  if (lstatSync(layout.socket, { throwIfNoEntry: false })?.isSymbolicLink() === true) unlinkSync(layout.socket);
  mkdirSync(layout.socket, { recursive: true, mode: 0o700 });
  close(layout.socket, account);
  return layout.socket;
};

const prepareShortFolder = (layout: DataLayout, account: ProcessAccount | undefined, log: (line: string) => void): string => {
  // The name is derived from the data folder, so that a copy of a data folder never meets the server of its original.
  const prefix = `svc-${createHash('sha256').update(layout.dataDir).digest('hex').slice(0, 12)}-`;
  const known = findSocketFolder(layout);
  if (known !== undefined && path.basename(known).startsWith(prefix) && isPrivate(known, account)) return known;
  if (known !== undefined) rmSync(layout.socket, { recursive: true, force: true });
  const folder = makeShortFolder(prefix);
  close(folder, account);
  log(
    `The database socket is in ${folder}, because its path under ${layout.dataDir} would exceed the system limit of ${socketPathMax} bytes.`,
  );
  try {
    symlinkSync(folder, layout.socket);
    return folder;
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
    // A concurrent start has just created one: both must use the same.
    rmSync(folder, { recursive: true, force: true });
    return readlinkSync(layout.socket);
  }
};

/** Creates it in the temporary folder, or in /tmp if that path is too long, missing or closed. */
const makeShortFolder = (prefix: string): string => {
  const base = fits(path.join(tmpdir(), `${prefix}XXXXXX`)) ? tmpdir() : '/tmp';
  try {
    return mkdtempSync(path.join(base, prefix));
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC') || base === '/tmp') throw error;
    return mkdtempSync(path.join('/tmp', prefix));
  }
};

const fits = (folder: string): boolean => Buffer.byteLength(path.join(folder, `.s.PGSQL.${socketPort}`)) <= socketPathMax;

const isPrivate = (folder: string, account: ProcessAccount | undefined): boolean => {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  const uid = account?.uid ?? process.geteuid?.();
  return found?.isDirectory() === true && found.uid === uid && (found.mode & 0o077) === 0;
};

const close = (folder: string, account: ProcessAccount | undefined): void => {
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
  chmodSync(folder, 0o700);
};
