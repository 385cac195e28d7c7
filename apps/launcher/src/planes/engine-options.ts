import type { Program } from '../bundle/bundle-folder.ts';

/** What keeps a plane under 200 MB at full load, and at the same rate at every start; docs/decisions/0017 tells what each of them brings. */
const OF_A_PLANE = [
  '--max-semi-space-size=10',
  '--max-old-space-size=512',
  '--heap-growing-percent=40',
  '--no-allocation-site-pretenuring',
  '--no-maglev',
  '--no-parallel-scavenge',
  '--v8-pool-size=2',
];

/** Nobody waits for the worker, so it has more room for what is young, and takes one processor for collecting and not all. */
const OF_THE_WORKER = [...OF_A_PLANE, '--max-semi-space-size=24', '--single-threaded-gc'];

/** Options of Node's engine for a program. */
export const engineOptionsOf = (program: Program): readonly string[] => (program === 'worker' ? OF_THE_WORKER : OF_A_PLANE);

/** Few pools for the C library's own memory: with one for each thread a plane grows past 200 MB. */
export const ALLOCATION = { MALLOC_ARENA_MAX: '2' };
