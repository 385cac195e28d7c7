import type { Weekday } from '@svc/contract/policies/language.ts';

/** An instant as a wall clock and calendar show it. */
export type LocalTime = {
  /** 0 to 23. */
  readonly hour: number;
  /** `HH:MM`. */
  readonly clock: string;
  readonly weekday: Weekday;
  /** `YYYY-MM-DD`. */
  readonly date: string;
};

type Zone = { readonly format: Intl.DateTimeFormat; minute: number; shown: LocalTime | null };

const MINUTE_MS = 60_000;
/** More than the number of time-zone names, so that a stream of unusual variants cannot grow it. */
const ZONES_MAX = 1000;
const zones = new Map<string, Zone>();

const openZone = (timeZone: string): Zone => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  if (zones.size >= ZONES_MAX) zones.clear();
  const zone: Zone = { format, minute: Number.NaN, shown: null };
  zones.set(timeZone, zone);
  return zone;
};

const show = ({ format }: Zone, now: Date): LocalTime => {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of format.formatToParts(now)) parts[type] = value;
  return {
    hour: Number(parts.hour),
    clock: `${parts.hour}:${parts.minute}`,
    weekday: parts.weekday?.toUpperCase() as Weekday,
    date: `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}`,
  };
};

/**
 * Returns the local time in an IANA time zone at an instant, daylight saving included. Within one minute the result is one cached object.
 * Throws a RangeError for a zone that does not exist, so that no rule is judged by an unknown time.
 */
export const localTime = (now: Date, timeZone: string): LocalTime => {
  const zone = zones.get(timeZone) ?? openZone(timeZone);
  const minute = Math.floor(now.getTime() / MINUTE_MS);
  if (zone.shown === null || zone.minute !== minute) {
    zone.shown = show(zone, now);
    zone.minute = minute;
  }
  return zone.shown;
};
