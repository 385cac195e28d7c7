import { addressSpelling, isAddress } from '../values/address.ts';
import { isCalendarDate } from '../values/calendar-date.ts';

/** Field types: the values of each, in words and in code. */
export type FieldType =
  | 'string'
  | 'enum'
  | 'host'
  | 'ip'
  | 'integer'
  | 'boolean'
  | 'string_list'
  | 'json'
  | 'hour'
  | 'clock'
  | 'weekday'
  | 'date';

export type FieldTypeRow = {
  /** The name of the type in a sentence for people. */
  readonly phrase: string;
  /** Returns true if a value of a request is of the type; if not, a condition on it is unknown. */
  readonly holds: (value: unknown) => boolean;
  /** Canonical form of values that have several encodings; applied to the rule's value and to the request's. */
  readonly canonical?: (text: string) => string;
  /** The same for a piece of such a text, which has no end of its own. */
  readonly canonicalPiece?: (text: string) => string;
  /** Returns true if a text is meaningful as a value of the type, if the pattern alone does not decide that. */
  readonly means?: (text: string) => boolean;
};

const isText = (value: unknown): boolean => typeof value === 'string';
const isWhole = (value: unknown): boolean => Number.isSafeInteger(value);
const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isClock = (value: unknown): boolean => isText(value) && /^[0-9]{2}:[0-9]{2}$/.test(value as string);
const isDate = (value: unknown): boolean => isText(value) && /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value as string);
/** Requests contain canonical hosts already; this handles contexts from elsewhere. */
const foldHost = (host: string): string => (host.endsWith('.') ? host.slice(0, -1) : host).toLowerCase();

export const FIELD_TYPES: Readonly<Record<FieldType, FieldTypeRow>> = {
  string: { phrase: 'text', holds: isText },
  enum: { phrase: 'one of a fixed list of values', holds: isText },
  host: { phrase: 'a host name', holds: isText, canonical: foldHost, canonicalPiece: (piece) => piece.toLowerCase() },
  ip: { phrase: 'an IP address', holds: isText, canonical: addressSpelling, means: isAddress },
  integer: { phrase: 'a whole number', holds: isWhole },
  boolean: { phrase: 'true or false', holds: (value) => typeof value === 'boolean' },
  string_list: { phrase: 'a list of strings', holds: isTextList },
  json: { phrase: 'text, a number, or true or false', holds: () => true },
  hour: { phrase: 'an hour of the day, from 0 to 23', holds: isWhole },
  clock: { phrase: 'a 24-hour time of day', holds: isClock },
  weekday: { phrase: 'a day of the week', holds: isText },
  date: { phrase: 'a date in the form YYYY-MM-DD', holds: isDate, means: isCalendarDate },
};
