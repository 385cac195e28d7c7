import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const DISK = '/dev/shm';
/** The databases of a run take a tenth of it. */
const FREE_BYTES_MIN = 8 * 2 ** 30;

/** As the mount table has it: programs may be run from there, which servers and packages of tests are. */
const runsPrograms = (mounts: string): boolean => {
  const options = mounts
    .split('\n')
    .find((line) => line.split(' ')[1] === DISK)
    ?.split(' ')[3];
  return options !== undefined && !options.split(',').includes('noexec');
};

/**
 * A folder in memory for the databases and temporary files of a run [RAM disk]: the servers are as durable as ever and write as much, and
 * nobody waits for a disk to have it. Undefined where there is no such place or too little of it; then they stay on the disk.
 */
export const memoryFolder = (root: string): string | undefined => {
  if (!existsSync(DISK) || !runsPrograms(readFileSync('/proc/mounts', 'utf8'))) return undefined;
  const { bavail, bsize } = statfsSync(DISK);
  if (Math.min(bavail * bsize, freemem()) < FREE_BYTES_MIN) return undefined;
  // One for each working tree, so that two runs in it share their server, and one that was killed leaves nothing that the next does not use.
  const folder = join(DISK, `svc-tests-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`);
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  return folder;
};
