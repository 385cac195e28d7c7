/** What keeps a plane under 200 MB at full load, and at the same rate at every start; docs/decisions/0017 tells what each of them brings. */
export const ENGINE_OPTIONS = [
  '--max-semi-space-size=10',
  '--max-old-space-size=512',
  '--heap-growing-percent=40',
  '--no-allocation-site-pretenuring',
  '--no-maglev',
  '--v8-pool-size=2',
];

/** Few pools for the C library's own memory: with one for each thread a plane grows past 200 MB. */
export const ALLOCATION = { MALLOC_ARENA_MAX: '2' };
