/** Stop requests of a person or a service manager. */
export type StopSignals = {
  /** Aborted at the first signal. */
  readonly signal: AbortSignal;
  readonly asked: Promise<void>;
  /** Resolves at a second request, if the first takes too long. */
  readonly hurry: Promise<void>;
};

/** npm forwards the Ctrl-C that the terminal has already sent to every process, so it arrives twice. */
const sameRequestMs = 1_000;

export const listenForStop = (): StopSignals => {
  const controller = new AbortController();
  const asked = Promise.withResolvers<void>();
  const hurry = Promise.withResolvers<void>();
  let firstAt: number | undefined;
  const hear = (): void => {
    if (firstAt !== undefined && performance.now() - firstAt > sameRequestMs) hurry.resolve();
    firstAt ??= performance.now();
    controller.abort();
    asked.resolve();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, hear);
  return { signal: controller.signal, asked: asked.promise, hurry: hurry.promise };
};
