/** To the millisecond in UTC, with the digits that ISO 8601 in full has. */
const MILLISECONDS = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\+00$/;

/** In UTC, with a year that ISO 8601 supports. */
const OF_A_YEAR = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/;

/**
 * Parses a time in the database's format, in the session's zone, which is UTC. Others stay as text: infinity, a year of more
 * than four digits, one before Christ. It never throws, since one row must not prevent reading the others.
 */
export const readTime = (text: string): string => {
  if (MILLISECONDS.test(text)) return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`;
  if (!OF_A_YEAR.test(text)) return text;
  const time = new Date(`${text.slice(0, -3).replace(' ', 'T')}Z`);
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
};
