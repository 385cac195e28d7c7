const BEAT_MS = 25;

/** How long until the next beat, counted from the start of the work. */
export const untilNextBeatMs = (elapsedMs: number): number => (Math.floor(elapsedMs / BEAT_MS) + 1) * BEAT_MS - elapsedMs;

/**
 * Answers on a fixed beat after the start of the work [response times quantised against timing attacks], so that how long the work took cannot be told: whether an agent was in memory,
 * had to be loaded or does not exist at all. The beat is longer than any of these takes while the database is well.
 */
export const onTheBeat = async <Value>(startedAt: number, value: Value): Promise<Value> => {
  await new Promise((resolve) => setTimeout(resolve, untilNextBeatMs(performance.now() - startedAt)));
  return value;
};
