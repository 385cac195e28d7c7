import { closeSync, copyFileSync, openSync, readFileSync, renameSync, statSync, truncateSync } from 'node:fs';

const sizeMax = 64 * 1024 * 1024;
const lookEveryMs = 60_000;

export type LogFile = {
  readonly file: string;
  /** For the child process, which writes to it without a detour. */
  readonly descriptor: number;
  /** What has been written since this start. */
  readonly sinceStart: () => string;
  readonly close: () => void;
};

/** Opens the log of one plane, for its owner only. One older log is kept beside it; both together stay bounded. */
export const openLog = (file: string): LogFile => {
  if (sizeOf(file) > sizeMax) renameSync(file, `${file}.1`);
  const from = sizeOf(file);
  const descriptor = openSync(file, 'a', 0o600);
  // The child appends, so cutting the file moves its next line to the beginning.
  const timer = setInterval(() => {
    if (sizeOf(file) <= sizeMax) return;
    copyFileSync(file, `${file}.1`);
    truncateSync(file);
  }, lookEveryMs).unref();
  const close = (): void => {
    clearInterval(timer);
    closeSync(descriptor);
  };
  return { file, descriptor, sinceStart: () => readFileSync(file).subarray(from).toString('utf8'), close };
};

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
