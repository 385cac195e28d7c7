/** Caches the result of a database check, since unauthenticated clients may request it. */
export const rememberCheck = (check: () => Promise<boolean>, keptMs: number): (() => Promise<boolean>) => {
  let kept: Promise<boolean> | undefined;
  let until = 0;
  return () => {
    if (kept === undefined || performance.now() >= until) {
      until = performance.now() + keptMs;
      kept = check().catch((error: unknown) => {
        // A failure is not cached.
        kept = undefined;
        throw error;
      });
    }
    return kept;
  };
};
