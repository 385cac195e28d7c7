import type { Test } from '../evaluation/node.ts';
import { FALSE, TRUE, UNKNOWN } from '../evaluation/outcome.ts';
import { isInHours, parseHours, parseMinute } from '../values/hours.ts';

const minuteOfDay = (actual: unknown): number => {
  if (typeof actual === 'number') return actual * 60;
  return typeof actual === 'string' ? parseMinute(actual) : Number.NaN;
};

/** The hour or the time of day is in the span, past midnight too. Throws on hours that were never validated. */
export const compileWithinHours = (expected: string): Test => {
  const hours = parseHours(expected);
  if ('fault' in hours) throw new Error(`A stored condition contains an invalid time range: ${hours.fault}`);
  return (actual) => {
    const minute = minuteOfDay(actual);
    if (Number.isNaN(minute)) return UNKNOWN;
    return isInHours(minute, hours) ? TRUE : FALSE;
  };
};
