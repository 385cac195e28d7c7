/**
 * Stops on SIGTERM, SIGINT or when the parent is gone: `finish` is called once, and the process ends when it is done. What takes longer than
 * `stopMs` in all is broken off.
 */
export const stopWhenAsked = (finish: () => Promise<void>, stopMs: number): void => {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), stopMs).unref();
    await finish();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(signal, () => void stop());
};
