/** Keeps the result of a check of the database for a while, since unauthenticated clients may ask for it. */
export const rememberCheck = (check: () => Promise<boolean>, keptMs: number): (() => Promise<boolean>) => {
  let kept: Promise<boolean> | undefined;
  let until = 0;
  return () => {
    if (kept === undefined || performance.now() >= until) {
      until = performance.now() + keptMs;
      kept = check().catch((error: unknown) => {
        // A failure is not kept.
        kept = undefined;
        throw error;
      });
    }
    return kept;
  };
};
