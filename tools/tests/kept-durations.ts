import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Durations } from './plan-tests.ts';

const read = (file: string): Durations => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});

/** Returns the last durations of the files on this machine, and otherwise those in the project's table of slow ones. */
export const readDurations = (kept: string, table: string): Durations => ({ ...read(table), ...read(kept) });

/** Stores measured durations by path; other files keep theirs, and deleted files are dropped. */
export const keepDurations = (kept: string, measured: Durations): void => {
  mkdirSync(dirname(kept), { recursive: true });
  const all = Object.entries({ ...read(kept), ...measured }).filter(([file]) => existsSync(file));
  writeFileSync(kept, `${JSON.stringify(Object.fromEntries(all), null, 1)}\n`);
};
