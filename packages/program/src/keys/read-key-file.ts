import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { readMasterKey } from '@svc/keyring/sealed/master-key.ts';

/** A key has 44 characters; a longer text is not read. */
const BYTES_MAX = 1_024;

/** The text of a key file, undefined if there is none, or the reason for refusing it. */
export type KeyFile = { readonly text: string } | { readonly fault: string } | undefined;

const openIfThere = (file: string): number | undefined | { readonly fault: string } => {
  try {
    // A pipe without a writer would block the start.
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code === 'ENOENT'
      ? undefined
      : { fault: `The master key ${file} cannot be read (${code}). Change its owner to the account that starts the service.` };
  }
};

const faultOf = (file: string, descriptor: number): string | undefined => {
  const { mode, uid, size } = fstatSync(descriptor);
  if ((mode & constants.S_IFMT) !== constants.S_IFREG)
    return `The master key ${file} is not a file. Set the path of a file that contains it.`;
  if ((mode & 0o077) !== 0) return `The master key ${file} is readable by other users. Run "chmod 600 '${file}'".`;
  if (uid !== 0 && uid !== process.getuid?.())
    return `The master key ${file} belongs to another account, which could replace it. Change its owner to the account that starts the service.`;
  return size > BYTES_MAX
    ? `The master key ${file} contains more than a key. It must contain only the base64 of 32 random bytes.`
    : undefined;
};

/**
 * Reads a file with a master key. Only its owner may read it, who must be the current user or root. Checks the opened file, not the name,
 * which could be replaced in between (race condition).
 */
export const readKeyFile = (file: string): KeyFile => {
  const opened = openIfThere(file);
  if (typeof opened !== 'number') return opened;
  try {
    const fault = faultOf(file, opened);
    if (fault !== undefined) return { fault };
    const bytes = Buffer.alloc(BYTES_MAX);
    const text = bytes.toString('utf8', 0, readSync(opened, bytes, 0, BYTES_MAX, 0)).trim();
    bytes.fill(0);
    const key = readMasterKey(text);
    return key.ok ? { text } : { fault: `${file}: ${key.reason} Restore it from a backup.` };
  } finally {
    closeSync(opened);
  }
};
