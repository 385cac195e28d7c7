import type { FieldCondition } from '@svc/contract/policy-language.ts';
import type { FieldRow } from '../fields.ts';

/** Every number a condition names. */
const numbersIn = (conditions: readonly FieldCondition[]): number[] =>
  conditions.flatMap(({ value }) => [value].flat().filter((one): one is number => typeof one === 'number'));

const within = (row: FieldRow, value: number): boolean =>
  Number.isSafeInteger(value) && value >= (row.min ?? -Infinity) && value <= (row.max ?? Infinity);

/** Whole numbers of which every other one is judged as one of them is: those that are named, their neighbours, and the bounds of the field. */
export const wholeCandidates = (row: FieldRow, conditions: readonly FieldCondition[]): number[] => {
  const named = numbersIn(conditions);
  return [
    ...new Set([...named.flatMap((value) => [value, value + 1, value - 1]), row.min ?? 0, row.max ?? Number.MAX_SAFE_INTEGER]),
  ].filter((value) => within(row, value));
};

/** The same of numbers of any kind: those that are named, one between each two neighbours, and one beyond each end. */
export const numberCandidates = (conditions: readonly FieldCondition[]): number[] => {
  const named = [...new Set(numbersIn(conditions))].toSorted((left, right) => left - right);
  const first = named[0] ?? 0;
  const last = named.at(-1) ?? 0;
  const between = named.slice(1).map((value, index) => (value + (named[index] ?? value)) / 2);
  return [...new Set([first - 1, ...named, ...between, last + 1])];
};
