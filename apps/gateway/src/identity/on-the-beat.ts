const BEAT_MS = 25;

/**
 * Answers on a fixed beat after the start of the work, so that how long the work took cannot be told: whether an agent was in memory,
 * had to be loaded or does not exist at all. The beat is longer than any of these takes while the database is well.
 */
export const onTheBeat = async <Value>(startedAt: number, value: Value): Promise<Value> => {
  const elapsedMs = performance.now() - startedAt;
  await new Promise((resolve) => setTimeout(resolve, Math.ceil(elapsedMs / BEAT_MS) * BEAT_MS - elapsedMs));
  return value;
};
