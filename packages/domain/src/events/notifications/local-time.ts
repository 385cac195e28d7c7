const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Names of zones begin with a letter; an offset such as +01:00 is not a zone. */
const ZONE = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

const newFormat = (timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    ...({ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const),
  });

/** Returns true for a time zone of the IANA database. */
export const isTimeZone = (name: string): boolean => {
  if (!ZONE.test(name)) return false;
  try {
    newFormat(name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
};

/** Returns a conversion of a moment to the local clock of a time zone, expressed as the moment at which UTC shows the same. */
const newWallClock = (timeZone: string): ((ms: number) => number) => {
  const format = newFormat(timeZone);
  return (ms) => {
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute);
  };
};

/** The minute of the day that the clocks there show. */
export const minuteOfDay = (timeZone: string, ms: number): number => (newWallClock(timeZone)(ms) % DAY_MS) / MINUTE_MS;

/** The first minute of those after `from` up to `to` at which the clocks show `shown` or later; they do at the last. */
const firstMinuteAt = (wall: (ms: number) => number, shown: number, [from, to]: readonly [number, number]): number => {
  let [before, at] = [from, to];
  while (at - before > MINUTE_MS) {
    const middle = before + Math.floor((at - before) / MINUTE_MS / 2) * MINUTE_MS;
    if (wall(middle) >= shown) at = middle;
    else before = middle;
  }
  return at;
};

/** Returns when the local clock shows this: the first of two times, and the end of the gap when clocks are put forward over it. */
const getMoment = (wall: (ms: number) => number, shown: number): number => {
  const offsets = [shown - DAY_MS, shown + DAY_MS].map((ms) => wall(ms) - ms);
  const moments = offsets.map((offset) => shown - offset).toSorted((a, b) => a - b);
  const [first = shown, last = shown] = moments;
  return moments.find((ms) => wall(ms) === shown) ?? firstMinuteAt(wall, shown, [first, last]);
};

/**
 * Returns the first moment after `ms` at which the local clock shows this minute of the day for the first time. If clocks are put forward
 * over
 * it, the end of the gap.
 */
export const nextAt = (timeZone: string, minute: number, ms: number): number => {
  const wall = newWallClock(timeZone);
  const today = Math.floor(wall(ms) / DAY_MS) * DAY_MS;
  const next = [0, 1, 2].map((days) => getMoment(wall, today + days * DAY_MS + minute * MINUTE_MS)).find((moment) => moment > ms);
  return next ?? ms + DAY_MS;
};
