import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, renameSync } from 'node:fs';

/** Where lines are written to. */
export type LogSink = {
  readonly descriptor: () => number;
  /** Told of each batch once it was written whole, so that whatever happens then happens between two lines. */
  readonly wrote: (bytes: number) => void;
};

/** One that is open already and stays so. */
export const openSink = (descriptor: number): LogSink => ({ descriptor: () => descriptor, wrote: () => {} });

export type LogFileBounds = { readonly fileBytesMax: number; readonly filesMax: number };

const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/** `log` becomes `log.1`, `log.1` becomes `log.2`, and the oldest is overwritten. */
const moveOn = (file: string, filesMax: number): void => {
  for (let age = filesMax - 1; age >= 1; age -= 1) {
    const younger = age === 1 ? file : `${file}.${age - 1}`;
    if (existsSync(younger)) renameSync(younger, `${file}.${age}`);
  }
};

/**
 * A file for its owner only, which is moved aside when it is full, with so many files in all. Only the process that writes it does so, and
 * between two lines, so that none is lost or cut. Where it cannot be moved, lines go on into the file that is open. Throws what the system says
 * when it cannot be opened at first.
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
        // Others may have added to it, or cut it.
        if (fstatSync(descriptor).size >= fileBytesMax) rotate();
        bytes = fstatSync(descriptor).size;
      } catch (error) {
        if (!isSystemError(error)) throw error;
        bytes = 0;
      }
    },
  };
};
