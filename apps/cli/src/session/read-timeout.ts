import { getUsageError } from '../exit-codes.ts';

const UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration such as 30s, 5m or 7d. */
export const readDuration = (text: string): number => {
  const { count, unit } = /^(?<count>\d{1,6})(?<unit>ms|s|m|h|d)$/.exec(text)?.groups ?? {};
  const factor = Object.entries(UNITS_MS).find(([name]) => name === unit)?.[1];
  if (count === undefined || factor === undefined)
    throw getUsageError(`"${text}" is not a duration.`, 'Use a number and a unit: 30s, 5m, 1h, 7d.');
  return Number(count) * factor;
};

export const readTimeout = (text: string | undefined): number | undefined => (text === undefined ? undefined : readDuration(text));
