/**
 * Preloaded into a program (`node --import`), it makes the process's clock wrong without changing its code. TEST_CLOCK_AHEAD_MS: by how
 * much. With TEST_CLOCK_WRONG_FROM=SIGUSR2 the clock is right until that signal, like one that is set while the service runs.
 */
const { TEST_CLOCK_AHEAD_MS, TEST_CLOCK_WRONG_FROM } = process.env;
const RightDate = Date;
let aheadMs = TEST_CLOCK_WRONG_FROM ? 0 : Number(TEST_CLOCK_AHEAD_MS);
if (TEST_CLOCK_WRONG_FROM)
  process.on(TEST_CLOCK_WRONG_FROM as NodeJS.Signals, () => {
    aheadMs = Number(TEST_CLOCK_AHEAD_MS);
  });

const now = (): number => RightDate.now() + aheadMs;
globalThis.Date = new Proxy(RightDate, {
  construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now()] : given),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
