import { basename } from 'node:path';
import { FILE_SECONDS } from './file-seconds.ts';

/**
 * Loaded into each process of the runner: ends one that is still there long after its tests had to be over, as one is whose `before` failed
 * while it held a connection. The runner's own time limit ends tests, and waits for their process without an end.
 */
const seconds = Number(process.env[FILE_SECONDS]);

const countOf = (names: readonly string[]): string =>
  [...new Set(names)].map((name) => `${names.filter((each) => each === name).length} ${name}`).join(', ') || 'nothing that it names';

// The runner itself has to wait for all of them.
const isOfTests = seconds > 0 && process.env.NODE_TEST_CONTEXT !== undefined;

let running = basename(process.argv[1] ?? '');
let ending: NodeJS.Timeout | undefined;

const end = (): void => {
  console.error(`${running} was ended: its process still ran after ${seconds} s, held by ${countOf(process.getActiveResourcesInfo())}.`);
  process.exit(1);
};

/** Of files that share a process each has the whole time from its beginning. */
export const beginFile = (file: string): void => {
  running = file;
  clearTimeout(ending);
  if (isOfTests) ending = setTimeout(end, seconds * 1_000).unref();
};

beginFile(running);
