/** The beginning of an identifier: its prefix, and its creation time, in 10 characters. */
const REQUEST_ID = /^req_([0-7][0-9A-HJKMNP-TV-Z]{9})[0-9A-HJKMNP-TV-Z]{16}$/;
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARS = 10;
const AFTER_ALL = 'Z'.repeat(16);

/** Maximum time between a request and its records, however long it takes. */
const WITHIN_MS = 600_000;
/** Tolerance between two synchronized clocks. */
const APART_MS = 60_000;
/** No request is older; an earlier identifier contains no time. */
const FIRST_MS = Date.UTC(2020, 0, 1);

const computeTime = (chars: string): number => [...chars].reduce((time, char) => time * ALPHABET.length + ALPHABET.indexOf(char), 0);
const charAt = (time: number, place: number): string =>
  ALPHABET.charAt(Math.floor(time / ALPHABET.length ** (TIME_CHARS - 1 - place)) % ALPHABET.length);
const getChars = (time: number): string => Array.from({ length: TIME_CHARS }, (_, place) => charAt(time, place)).join('');

/** Returns the identifier before everything created from this time on, in milliseconds, and after everything earlier. */
export const firstIdAt = (prefix: string, time: number): string => `${prefix}_${getChars(Math.max(0, Math.floor(time)))}`;

const timeOfRequest = (id: string | undefined): number | undefined => {
  const chars = id?.match(REQUEST_ID)?.[1];
  const time = chars === undefined ? 0 : computeTime(chars);
  return time < FIRST_MS ? undefined : time;
};

/** The identifiers between which every matching row lies; both ends included. */
export type Between = { readonly first: string | undefined; readonly last: string | undefined };

type Times = { readonly from?: string | undefined; readonly to?: string | undefined; readonly request_id?: string | undefined };

/**
 * Returns the range of a search, by the times in identifiers: nothing is created before its request or its stated
 * time, and nothing long after either. So a search by time or by request reads that range of the record and no more.
 */
export const madeBetween = (prefix: string, { from, to, request_id }: Times): Between => {
  const asked = timeOfRequest(request_id);
  const since = [from === undefined ? [] : Date.parse(from), asked ?? []].flat();
  const until = [to === undefined ? [] : Date.parse(to), asked ?? []].flat();
  const first = Math.max(0, Math.max(...since) - APART_MS);
  const last = Math.max(0, Math.min(...until) + WITHIN_MS);
  return {
    first: since.length === 0 ? undefined : `${prefix}_${getChars(first)}`,
    last: until.length === 0 ? undefined : `${prefix}_${getChars(last)}${AFTER_ALL}`,
  };
};
