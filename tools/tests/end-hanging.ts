import { basename } from 'node:path';
import { FILE_SECONDS } from './file-seconds.ts';

/**
 * Loaded into each process of the runner: ends one that is still there long after its tests had to be over, as one is whose `before` failed
 * while it held a connection. The runner's own time limit ends tests, and waits for their process without an end.
 */
const seconds = Number(process.env[FILE_SECONDS]);

const countOf = (names: readonly string[]): string =>
  [...new Set(names)].map((name) => `${names.filter((each) => each === name).length} ${name}`).join(', ') || 'nothing that it names';

const end = (): void => {
  const file = basename(process.argv[1] ?? '');
  console.error(`${file} was ended: its process still ran after ${seconds} s, held by ${countOf(process.getActiveResourcesInfo())}.`);
  process.exit(1);
};

// The runner itself has to wait for all of them.
if (seconds > 0 && process.env.NODE_TEST_CONTEXT !== undefined) setTimeout(end, seconds * 1_000).unref();
