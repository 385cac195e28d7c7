import { escapePointerToken } from '@svc/contract/rows/fault.ts';
import type { Fault } from './validate.ts';

const FAULT = 'Has too many digits for a JSON number. Use fewer digits, or a string if the member accepts one.';

/** With fewer digits every number is parsed exactly. */
const DIGITS_KEPT = 15;
const STEP = DIGITS_KEPT + 1;
const ZERO = 48;
const NINE = 57;
const DOT = 46;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && ((byte >= ZERO && byte <= NINE) || byte === DOT);

/** True if there is a run of so many digits, with or without a dot. Samples one byte in so many, and the neighbours of digits. */
const hasLongRun = (bytes: Uint8Array): boolean => {
  for (let at = STEP - 1; at < bytes.length; at += STEP) {
    if (!isDigit(bytes[at])) continue;
    let first = at;
    while (isDigit(bytes[first - 1])) first -= 1;
    let last = at;
    while (isDigit(bytes[last + 1])) last += 1;
    if (last - first >= DIGITS_KEPT) return true;
    at = last;
  }
  return false;
};

const SMALL_EXPONENT = /\d[eE]-0*\d{3}/;

/** True if the text of a body may contain a number that is not parsed exactly; nearly free if not. */
export const mayLoseDigits = (bytes: Uint8Array, text: string): boolean =>
  hasLongRun(bytes) || ((text.includes('e-') || text.includes('E-')) && SMALL_EXPONENT.test(text));

/** Returns significant digits and exponent, so that 1.50, 15e-1 and 1.5 are equal; the empty text for zero. */
const toDecimal = (written: string): string => {
  const [mantissa = '', exponent = '0'] = written.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole.replace('-', '') + fraction;
  let first = 0;
  while (digits.charCodeAt(first) === ZERO) first += 1;
  let end = digits.length;
  while (end > first && digits.charCodeAt(end - 1) === ZERO) end -= 1;
  return first === end ? '' : `${digits.slice(first, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
};

const WHOLE = /^-?\d+$/;
const WHOLE_MAX = 2 ** 53;

/**
 * True if a number is parsed exactly. An integer beyond 2^53 is not, even if it is a double: half of its neighbours parse to it too.
 * Neither are digits that no double distinguishes. Infinity is checked elsewhere.
 */
const isKept = (written: string, value: number): boolean => {
  if (written.length <= DIGITS_KEPT && !/e/i.test(written)) return true;
  if (!Number.isFinite(value)) return true;
  return (Math.abs(value) <= WHOLE_MAX || !WHOLE.test(written)) && toDecimal(written) === toDecimal(String(value));
};

const CHANGED = Symbol('not the number that was written');

const locate = (value: unknown, pointer: string, found: Fault[], most: number): void => {
  if (found.length === most) return;
  if (value === CHANGED) found.push({ pointer, message: FAULT });
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) locate(member, `${pointer}/${escapePointerToken(name)}`, found, most);
};

type Written = { readonly source?: string };

/**
 * Returns pointers to numbers that would be judged, stored and sent on with another value: parsing changes them, so the text itself is
 * examined. The text must be JSON of bounded depth. At most `most` pointers.
 */
export const listChangedNumbers = (text: string, most: number): Fault[] => {
  const marked = JSON.parse(text, ((_name: string, value: unknown, { source = '' }: Written) =>
    typeof value === 'number' && !isKept(source, value) ? CHANGED : value) as (name: string, value: unknown) => unknown);
  const found: Fault[] = [];
  locate(marked, '', found, most);
  return found;
};
