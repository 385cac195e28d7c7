import type { FieldCondition, PolicyCondition, PolicyRule } from '@svc/contract/policies/language.ts';
import type { PolicySource } from '../judge/compile-version.ts';
import { isCatchAll } from '../language/is-catch-all.ts';
import type { RequiredValue } from '../language/required-values.ts';

/** A rule and the number of counters that a decision consumes for it. `pointer` leads into the version body. */
export type Counting = {
  readonly policy_id: string;
  readonly policy_name: string;
  readonly version_number: number;
  readonly rule_id: string;
  readonly pointer: string;
  readonly counters: number;
};

export type CounterBound = {
  /** Maximum number of counters that a decision consumes. */
  readonly counters: number;
  /** Some of the counting rules, those with the most counters first. */
  readonly counting: readonly Counting[];
};

const NAMED_MAX = 5;

/** Calls and amounts are counted separately; a bound on each single action is not counted. */
const getCounters = ({ effect, limit }: Pick<PolicyRule, 'effect' | 'limit'>): number =>
  effect !== 'LIMIT' || limit?.window_seconds === undefined
    ? 0
    : (limit.max_calls === undefined ? 0 : 1) + (limit.max_amount === undefined ? 0 : 1);

const ofField = ({ field, op, value }: FieldCondition): readonly RequiredValue[] | null => {
  if (field.split('.').includes('*')) return null;
  if (op === 'eq') return [{ field, value: String(value) }];
  return op === 'in' && Array.isArray(value) ? value.map((one) => ({ field, value: String(one) })) : null;
};

/** Returns lists of values; a request must have one of each list for the condition to be true. */
const listLists = (condition: PolicyCondition): readonly (readonly RequiredValue[])[] => {
  if ('all' in condition) return condition.all.flatMap(listLists);
  if ('any' in condition) {
    const each = condition.any.map((part) => listLists(part)[0]);
    return each.some((list) => list === undefined) ? [] : [each.flatMap((list) => list ?? [])];
  }
  if ('not' in condition || 'any_element' in condition) return [];
  return [ofField(condition) ?? []].filter((list) => list.length > 0);
};

type Counted = { readonly counting: Counting; readonly lists: readonly (readonly RequiredValue[])[]; readonly onMissing: boolean };

/** Counts the distinct values that each field is compared with: the best way to separate rules. */
const getDistinct = (rules: readonly Counted[]): ReadonlyMap<string, number> => {
  const values = new Map<string, Set<string>>();
  for (const { field, value } of rules.flatMap(({ lists }) => lists.flat())) {
    values.set(field, (values.get(field) ?? new Set()).add(value));
  }
  return new Map([...values].map(([field, of]) => [field, of.size]));
};

const bestOf = ({ lists }: Counted, distinct: ReadonlyMap<string, number>): readonly RequiredValue[] | undefined => {
  const apart = (list: readonly RequiredValue[]): number => Math.min(...list.map(({ field }) => distinct.get(field) ?? 0));
  return lists.toSorted((one, other) => apart(other) - apart(one))[0];
};

type Sums = Map<string, number>;
const addTo = (sums: Sums, key: string, counters: number): void => void sums.set(key, (sums.get(key) ?? 0) + counters);
const greatest = (sums: Sums | undefined): number => Math.max(0, ...(sums?.values() ?? []));

/** Rules that compare one field with different values are never true together; those that match a missing field all match there. */
const getBound = (rules: readonly Counted[]): number => {
  const distinct = getDistinct(rules);
  const [byField, missing] = [new Map<string, Sums>(), new Map<string, number>()];
  let always = 0;
  for (const rule of rules) {
    const { counters } = rule.counting;
    const best = bestOf(rule, distinct);
    if (best === undefined) always += counters;
    for (const key of new Set(best?.map(({ field, value }) => JSON.stringify([field, value])))) {
      const [field] = JSON.parse(key) as [string];
      const sums = byField.get(field) ?? new Map<string, number>();
      byField.set(field, sums);
      addTo(sums, key, counters);
    }
    if (rule.onMissing) for (const field of new Set(best?.map((one) => one.field))) addTo(missing, field, counters);
  }
  return [...byField].reduce((sum, [field, sums]) => sum + Math.max(greatest(sums), missing.get(field) ?? 0), always);
};

/** Adds up the counters that versions bound to one scope make a decision consume. */
export type CounterTally = { readonly add: (source: PolicySource) => void; readonly bound: () => CounterBound };

/**
 * Returns a bound on the counters that versions bound to one scope make a decision consume, by their conditions. It is a promise to their
 * authors and not a guard: a decision that would consume more is not made.
 */
export const newCounterTally = (): CounterTally => {
  const rules: Counted[] = [];
  return {
    add: ({ policy_id, policy_name, version_number, body }) => {
      for (const [index, rule] of body.rules.entries()) {
        const counters = getCounters(rule);
        if (counters === 0) continue;
        const counting = { policy_id, policy_name, version_number, rule_id: rule.id, pointer: `/rules/${index}/limit`, counters };
        const lists = isCatchAll(rule.when) ? [] : listLists(rule.when as PolicyCondition);
        rules.push({ counting, lists, onMissing: rule.if_missing === 'match' });
      }
    },
    bound: () => ({
      counters: getBound(rules),
      counting: rules
        .map(({ counting }) => counting)
        .toSorted((one, other) => other.counters - one.counters)
        .slice(0, NAMED_MAX),
    }),
  };
};
