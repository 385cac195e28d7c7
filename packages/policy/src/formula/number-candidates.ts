import type { FieldCondition } from '@svc/contract/policies/language.ts';
import type { FieldRow } from '../language/field-row.ts';

/** Returns every number that a condition names. */
const findNumbers = (conditions: readonly FieldCondition[]): number[] =>
  conditions.flatMap(({ value }) => [value].flat().filter((one): one is number => typeof one === 'number'));

const within = (row: FieldRow, value: number): boolean =>
  Number.isSafeInteger(value) && value >= (row.min ?? -Infinity) && value <= (row.max ?? Infinity);

/** Returns representative whole numbers: the named ones, their neighbours, and the bounds of the field. */
export const listWholeCandidates = (row: FieldRow, conditions: readonly FieldCondition[]): number[] => {
  const named = findNumbers(conditions);
  return [
    ...new Set([...named.flatMap((value) => [value, value + 1, value - 1]), row.min ?? 0, row.max ?? Number.MAX_SAFE_INTEGER]),
  ].filter((value) => within(row, value));
};

/** Returns a slightly lower or higher number, far enough to be distinct at any magnitude; none if there is no further one. */
const beyond = (value: number, direction: -1 | 1): number[] => {
  const next = value + direction * Math.max(1, Math.abs(value) * 2 ** -52);
  return Number.isFinite(next) ? [next] : [];
};

const getMiddle = (low: number, high: number): number => (Number.isFinite(low + high) ? (low + high) / 2 : low / 2 + high / 2);

/** Returns representative numbers of any kind: the named ones, one between each two neighbours, and one beyond each end. */
export const listNumberCandidates = (conditions: readonly FieldCondition[]): number[] => {
  const named = [...new Set(findNumbers(conditions))].toSorted((left, right) => left - right);
  const between = named.slice(1).map((value, index) => getMiddle(named[index] ?? value, value));
  return [...new Set([...beyond(named[0] ?? 0, -1), ...named, ...between, ...beyond(named.at(-1) ?? 0, 1)])];
};
