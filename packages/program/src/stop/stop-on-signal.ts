/**
 * Stops on SIGTERM, SIGINT or when the parent has exited: calls `finish` once and exits when it resolves. After `stopMs` in all it exits
 * anyway.
 */
export const stopOnSignal = (finish: () => Promise<void>, stopMs: number): void => {
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
