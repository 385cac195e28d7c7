/** To the millisecond in UTC, with the digits that ISO 8601 in full has. */
const MILLISECONDS = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\+00$/;

/** In UTC, of a year that ISO 8601 in full has. */
const OF_A_YEAR = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/;

/**
 * A time as the database writes it, in the session's zone, which is UTC. What no clock tells stays as it is written: infinity, a year of more
 * than four digits, one before Christ. It is total, since one row must not keep those beside it from being read.
 */
export const readTime = (text: string): string => {
  if (MILLISECONDS.test(text)) return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`;
  if (!OF_A_YEAR.test(text)) return text;
  const time = new Date(`${text.slice(0, -3).replace(' ', 'T')}Z`);
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
};
