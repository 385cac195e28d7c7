const BEAT_MS = 25;

/** Returns the time until the next beat, counted from the start of the work. */
export const getMsUntilNextBeat = (elapsedMs: number): number => (Math.floor(elapsedMs / BEAT_MS) + 1) * BEAT_MS - elapsedMs;

/**
 * Delays the response to a fixed beat after the start of the work (quantised response times against timing attacks), so that its duration
 * discloses nothing: whether an agent was cached, had to be loaded or does not exist. The beat is longer than any of these takes while the
 * database is healthy.
 */
export const quantizeResponseTime = async <Value>(startedAt: number, value: Value): Promise<Value> => {
  await new Promise((resolve) => setTimeout(resolve, getMsUntilNextBeat(performance.now() - startedAt)));
  return value;
};
