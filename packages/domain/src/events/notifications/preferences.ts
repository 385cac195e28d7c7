import { NOTIFICATION_KINDS, type NotificationKind } from '@svc/contract/events/notification-kinds.ts';
import type { ChosenPreferences, NotificationPreferences } from '@svc/contract/events/notifications.ts';
import { KINDS } from './kinds.ts';
import { minuteOfDay, nextAt } from './local-time.ts';

/** Returns a user's preferences, with defaults for the rest. */
export const resolvePreferences = (chosen: ChosenPreferences): NotificationPreferences => ({
  time_zone: chosen.time_zone ?? 'UTC',
  digest_hour: chosen.digest_hour ?? 8,
  quiet_hours: chosen.quiet_hours ?? null,
  kinds: Object.fromEntries(
    NOTIFICATION_KINDS.map((kind) => [kind, { ...KINDS[kind].otherwise, ...chosen.kinds?.[kind] }]),
  ) as NotificationPreferences['kinds'],
});

/** Merges earlier preferences with new ones; omitted ones stay. */
export const choose = (before: ChosenPreferences, now: ChosenPreferences): ChosenPreferences => ({
  ...before,
  ...now,
  kinds: Object.fromEntries(
    NOTIFICATION_KINDS.flatMap((kind) => {
      const choice = { ...before.kinds?.[kind], ...now.kinds?.[kind] };
      return Object.keys(choice).length === 0 ? [] : [[kind, choice]];
    }),
  ),
});

/** Clocks are put back by less than this. */
const LENGTH_SLACK_MS = 2 * 3_600_000;

const getMinute = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

/** Returns the end of a user's quiet hours; undefined if mail may be sent now. */
export const quietUntil = ({ quiet_hours, time_zone }: NotificationPreferences, nowMs: number): number | undefined => {
  if (quiet_hours === null) return undefined;
  const [from, until] = [getMinute(quiet_hours.from), getMinute(quiet_hours.until)];
  const minute = minuteOfDay(time_zone, nowMs);
  const isQuiet = from <= until ? minute >= from && minute < until : minute >= from || minute < until;
  if (!isQuiet) return undefined;
  const end = nextAt(time_zone, until, nowMs);
  // In an hour that the clocks show twice, quiet hours end the first time.
  return end - nowMs > LENGTH_SLACK_MS + ((until - from + 1_440) % 1_440) * 60_000 ? undefined : end;
};

/** Returns when a notification of this kind is mailed that occurs now; undefined if it is not. */
export const mailAt = (preferences: NotificationPreferences, kind: NotificationKind, nowMs: number): number | undefined => {
  const { mail } = preferences.kinds[kind];
  if (mail === 'OFF') return undefined;
  if (mail === 'DIGEST') return nextAt(preferences.time_zone, preferences.digest_hour * 60, nowMs);
  return KINDS[kind].isUrgent ? nowMs : (quietUntil(preferences, nowMs) ?? nowMs);
};
