import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Durations } from './plan-tests.ts';

const read = (file: string): Durations => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});

/** What the files took when they last ran here, and where they never did, what the table of the project says of the slow ones. */
export const readDurations = (kept: string, table: string): Durations => ({ ...read(table), ...read(kept) });

/** Keeps what a run measured; files that it did not run stay as they were. */
export const keepDurations = (kept: string, measured: Durations): void => {
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, `${JSON.stringify({ ...read(kept), ...measured }, null, 1)}\n`);
};
