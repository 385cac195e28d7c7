import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const DISK = '/dev/shm';
/** The databases of a run take a tenth of it. */
const FREE_BYTES_MIN = 8 * 2 ** 30;

/** True if the mount permits execution, which servers and packages of tests need. */
const runsPrograms = (mounts: string): boolean => {
  const options = mounts
    .split('\n')
    .find((line) => line.split(' ')[1] === DISK)
    ?.split(' ')[3];
  return options !== undefined && !options.split(',').includes('noexec');
};

/**
 * Returns a folder in memory for the databases and temporary files of a run (RAM disk): the servers are as durable as ever and write as
 * much, without waiting for a disk. Undefined if there is none or too little space; then they stay on the disk.
 */
export const getMemoryFolder = (root: string): string | undefined => {
  if (!existsSync(DISK) || !runsPrograms(readFileSync('/proc/mounts', 'utf8'))) return undefined;
  const { bavail, bsize } = statfsSync(DISK);
  if (Math.min(bavail * bsize, freemem()) < FREE_BYTES_MIN) return undefined;
  // One for each working tree, so that two runs in it share their server, and the next run reuses what a killed one left.
  const folder = join(DISK, `svc-tests-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`);
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  return folder;
};
