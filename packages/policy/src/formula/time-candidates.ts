import type { FieldCondition } from '@svc/contract/policies/language.ts';
import { parseHours, parseMinute } from '../values/hours.ts';

const DAY_MS = 86_400_000;
const FIRST_DAY = '0001-01-01';
const LAST_DAY = '9999-12-31';
const LAST_MINUTE = 1439;

const findTexts = (conditions: readonly FieldCondition[]): string[] =>
  conditions.flatMap(({ value }) => [value].flat().filter((one): one is string => typeof one === 'string'));

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00.000Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** Returns representative dates: the named ones, their neighbours, and the ends of the calendar. */
export const listDayCandidates = (conditions: readonly FieldCondition[]): string[] => {
  const named = findTexts(conditions).flatMap((day) => [
    day > FIRST_DAY ? dayAfter(day, -1) : day,
    day,
    day < LAST_DAY ? dayAfter(day, 1) : day,
  ]);
  return [...new Set([...named, FIRST_DAY, LAST_DAY])];
};

const getClock = (minute: number): string => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

const findMinutes = (condition: FieldCondition): number[] => {
  if (condition.op !== 'within_hours') return findTexts([condition]).map(parseMinute);
  const hours = parseHours(String(condition.value));
  return 'fault' in hours ? [] : [hours.from, hours.to];
};

/** Returns representative times of day. */
export const listClockCandidates = (conditions: readonly FieldCondition[]): string[] => {
  const named = conditions.flatMap(findMinutes).flatMap((minute) => [minute - 1, minute, minute + 1]);
  const minutes = [...named, 0, LAST_MINUTE].filter((minute) => minute >= 0 && minute <= LAST_MINUTE);
  return [...new Set(minutes)].map(getClock);
};
