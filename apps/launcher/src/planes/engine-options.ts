import type { BundledProgram } from '../bundle/bundle-folder.ts';

/** Options that keep a plane under 200 MB at full load, at the same rate after every start; docs/decisions/0017 explains each. */
const OF_A_PLANE = [
  '--max-semi-space-size=10',
  '--max-old-space-size=512',
  '--heap-growing-percent=40',
  '--no-allocation-site-pretenuring',
  '--no-maglev',
  '--no-parallel-scavenge',
  '--v8-pool-size=2',
];

/** The worker's latency does not matter, so it has a larger young generation, and collects with one processor instead of all. */
const OF_THE_WORKER = [...OF_A_PLANE, '--max-semi-space-size=24', '--single-threaded-gc'];

/** Returns the options of Node's engine for a program. */
export const getEngineOptions = (program: BundledProgram): readonly string[] => (program === 'worker' ? OF_THE_WORKER : OF_A_PLANE);

/** Few arenas for the C library's allocator: with one per thread a plane grows beyond 200 MB. */
export const ALLOCATION = { MALLOC_ARENA_MAX: '2' };
