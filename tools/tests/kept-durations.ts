import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Durations } from './plan-tests.ts';

const read = (file: string): Durations => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});

/** What the files took when they last ran here, and where they never did, what the table of the project says of the slow ones. */
export const readDurations = (kept: string, table: string): Durations => ({ ...read(table), ...read(kept) });

/** Keeps what a run measured, by paths of the folder it ran in; files that it did not run stay as they were, and what is no file of it any more is left out. */
export const keepDurations = (kept: string, measured: Durations): void => {
  mkdirSync(dirname(kept), { recursive: true });
  const all = Object.entries({ ...read(kept), ...measured }).filter(([file]) => existsSync(file));
  writeFileSync(kept, `${JSON.stringify(Object.fromEntries(all), null, 1)}\n`);
};
