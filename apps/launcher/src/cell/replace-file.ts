import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';

/** Replaces a file whole, so that a proxy that reads it meanwhile, or a crash, never meets half of it. */
export const replaceFile = (file: string, text: string): void => {
  const fresh = `${file}.new`;
  const handle = openSync(fresh, 'w', 0o644);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(fresh, file);
};
