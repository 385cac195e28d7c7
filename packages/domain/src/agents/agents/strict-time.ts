/** Year 0 is in no calendar that people or databases count by. */
const exactForm = /^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/;

/**
 * Parses a timestamp in its one accepted form, `YYYY-MM-DDTHH:MM:SS.mmmZ`, to milliseconds since the epoch; null for anything else.
 * A date that does not exist (30 February, hour 24, second 60) is null too, so that no comparison is made with NaN or a shifted day.
 */
export const parseStrictTime = (text: unknown): number | null => {
  if (typeof text !== 'string' || !exactForm.test(text)) return null;
  const timeMs = Date.parse(text);
  if (Number.isNaN(timeMs)) return null;
  // The engine rolls 30 February and 24:00 over to the next day; only a time that prints as it was written is real.
  return new Date(timeMs).toISOString() === text ? timeMs : null;
};
