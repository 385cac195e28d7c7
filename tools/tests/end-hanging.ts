import { basename } from 'node:path';
import { FILE_SECONDS } from './file-seconds.ts';

/**
 * Loaded into each process of the runner: ends one that is still running long after its tests should be over, for example because `before`
 * failed while it held a connection. The runner's own timeout ends tests, and then waits for their process forever.
 */
const seconds = Number(process.env[FILE_SECONDS]);

const getCount = (names: readonly string[]): string =>
  [...new Set(names)].map((name) => `${names.filter((each) => each === name).length} ${name}`).join(', ') || 'nothing that it names';

// The runner itself must wait for all of them.
const isOfTests = seconds > 0 && process.env.NODE_TEST_CONTEXT !== undefined;

let running = basename(process.argv[1] ?? '');
let ending: NodeJS.Timeout | undefined;

const end = (): void => {
  console.error(`${running} was ended: its process still ran after ${seconds} s, held by ${getCount(process.getActiveResourcesInfo())}.`);
  process.exit(1);
};

/** Files that share a process each have the whole time from their start. */
export const beginFile = (file: string): void => {
  running = file;
  clearTimeout(ending);
  if (isOfTests) ending = setTimeout(end, seconds * 1_000).unref();
};

beginFile(running);
