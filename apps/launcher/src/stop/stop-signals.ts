/** How a person or a service manager says that it is enough. */
export type StopSignals = {
  /** Aborted at the first signal. */
  readonly signal: AbortSignal;
  readonly asked: Promise<void>;
  /** Resolves at a second request, when the first is taking too long for somebody. */
  readonly hurry: Promise<void>;
};

/** npm passes on the Ctrl-C that the terminal has sent to everybody already, so the same one arrives twice. */
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
