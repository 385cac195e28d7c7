import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, renameSync } from 'node:fs';

/** The destination of log lines. */
export type LogSink = {
  readonly descriptor: () => number;
  /** Called after each complete batch, so that what it does happens between two lines. */
  readonly wrote: (bytes: number) => void;
};

/** A sink that is already open and stays open. */
export const openSink = (descriptor: number): LogSink => ({ descriptor: () => descriptor, wrote: () => {} });

export type LogFileBounds = { readonly fileBytesMax: number; readonly filesMax: number };

const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/** Renames `log` to `log.1`, `log.1` to `log.2`, and overwrites the oldest. */
const moveOn = (file: string, filesMax: number): void => {
  for (let age = filesMax - 1; age >= 1; age -= 1) {
    const younger = age === 1 ? file : `${file}.${age - 1}`;
    if (existsSync(younger)) renameSync(younger, `${file}.${age}`);
  }
};

/**
 * Opens a log file that only its owner can read, and rotates it when it is full, up to a number of files. Only the process that writes the
 * log
 * rotates it, between two lines, so that none is lost or cut. If the rotation fails, lines continue in the open file. Throws the system's
 * error if the file cannot be opened at first.
 */
export const openLogFile = (file: string, { fileBytesMax, filesMax }: LogFileBounds): LogSink => {
  const open = (): number => openSync(file, 'a', 0o600);
  let descriptor = open();
  let bytes = fstatSync(descriptor).size;

  const rotate = (): void => {
    if (filesMax === 1) {
      ftruncateSync(descriptor);
      return;
    }
    moveOn(file, filesMax);
    const full = descriptor;
    descriptor = open();
    closeSync(full);
  };
  return {
    descriptor: () => descriptor,
    wrote: (more) => {
      bytes += more;
      if (bytes < fileBytesMax) return;
      try {
        // Other programs may have appended to it, or truncated it.
        if (fstatSync(descriptor).size >= fileBytesMax) rotate();
        bytes = fstatSync(descriptor).size;
      } catch (error) {
        if (!isSystemError(error)) throw error;
        bytes = 0;
      }
    },
  };
};
