/** A span of the day in minutes after midnight. `from` is included, `to` is not; if `to` is not after `from` it goes past midnight. */
export type Hours = { readonly from: number; readonly to: number };

const SHAPE = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-4]):([0-5]\d)$/;
const DAY_MINUTES = 1440;

/** Parses a span such as `22:00-06:00`, or returns a correction. `24:00` is the end of the day. */
export const parseHours = (text: string): Hours | { readonly fault: string } => {
  const parts = SHAPE.exec(text)?.slice(1).map(Number);
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = parts ?? [];
  const from = fromHour * 60 + fromMinute;
  const to = toHour * 60 + toMinute;
  if (parts === undefined || to > DAY_MINUTES)
    return { fault: 'A time range must have the form from-to in 24-hour time, for example "22:00-06:00".' };
  if (from === to) return { fault: 'The start and end of a time range must differ; for the whole day, write "00:00-24:00".' };
  return { from, to };
};

/** Returns true if a minute of the day is in the span. */
export const isInHours = (minute: number, { from, to }: Hours): boolean =>
  from < to ? minute >= from && minute < to : minute >= from || minute < to;

/** Returns the minutes after midnight of a time written `HH:MM`. */
export const parseMinute = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
