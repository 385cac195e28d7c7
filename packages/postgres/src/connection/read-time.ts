/** To the millisecond in UTC, with the digits that ISO 8601 in full has. */
const MILLISECONDS = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\+00$/;

/** A time as the database writes it, in the session's zone, which is UTC; what no clock tells, as infinity, stays. */
export const readTime = (text: string): string => {
  if (MILLISECONDS.test(text)) return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`;
  return text.endsWith('+00') ? new Date(`${text.slice(0, -3).replace(' ', 'T')}Z`).toISOString() : text;
};
