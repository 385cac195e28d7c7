import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { REQUEST, WORK } from '../evaluation/prices.ts';
import type { PolicySource } from '../judge/compile-version.ts';
import { fieldConditions, workOfRule } from '../language/field-conditions.ts';
import { fieldsRead } from '../language/fields-read.ts';
import { requiredValues } from '../language/required-values.ts';
import { conditionWork, workAlone } from './condition-work.ts';
import { addCondition, newLoad, type RuleLoad, workOfLoad } from './load.ts';

/** A rule or condition and its own cost, in units of about a nanosecond. `pointer` leads into the version body. */
export type Heavy = {
  readonly policy_id: string;
  readonly policy_name: string;
  readonly version_number: number;
  readonly rule_id: string;
  readonly pointer: string;
  readonly work: number;
};

export type WorkBound = {
  /** Maximum work of a decision. */
  readonly work: number;
  /** The most expensive parts, in descending order. */
  readonly heaviest: readonly Heavy[];
};

const NAMED_MAX = 5;
/** The cost of a decision before any rule: masking for the trace all texts of a request, each once. */
export const WORK_OF_REQUEST = REQUEST.characters * WORK.shown;

type Bucket = Map<string, RuleLoad>;
type Buckets = { readonly general: RuleLoad; readonly byField: Map<string, Bucket> };

/** A rule for more values than this counts for every request: separating them would take too long. */
const VALUES_TOLD_APART_MAX = 32;

/** A rule is consulted only for requests with a value that it requires, so its cost is counted for those alone. */
const listLoads = (buckets: Buckets, rule: PolicyRule): RuleLoad[] => {
  const required = requiredValues(rule.when);
  if (required === null || required.length > VALUES_TOLD_APART_MAX) return [buckets.general];
  const loads = new Set<RuleLoad>();
  for (const { field, value } of required) {
    const bucket = buckets.byField.get(field) ?? new Map<string, RuleLoad>();
    buckets.byField.set(field, bucket);
    const load = bucket.get(value) ?? newLoad();
    bucket.set(value, load);
    loads.add(load);
  }
  return [...loads];
};

const keepHeavy = (heaviest: Heavy[], heavy: Heavy): void => {
  if (heaviest.length >= NAMED_MAX && heavy.work <= (heaviest.at(-1)?.work ?? 0)) return;
  heaviest.push(heavy);
  heaviest.sort((left, right) => right.work - left.work);
  if (heaviest.length > NAMED_MAX) heaviest.pop();
};

const addRule = (buckets: Buckets, heaviest: Heavy[], source: PolicySource, rule: PolicyRule, pointer: string): void => {
  const loads = listLoads(buckets, rule);
  const { policy_id, policy_name, version_number } = source;
  const named = { policy_id, policy_name, version_number, rule_id: rule.id };
  const fixed = workOfRule(rule);
  for (const load of loads) load.fixed += fixed;
  keepHeavy(heaviest, { ...named, pointer, work: fixed });
  for (const placed of fieldConditions(rule.when)) {
    const work = conditionWork(placed);
    if (work === null) continue;
    for (const load of loads) addCondition(load, work);
    keepHeavy(heaviest, { ...named, pointer: `${pointer}/when${placed.pointer}`, work: workAlone(work) });
  }
};

/** Returns true for rules that are also judged as if no approval were present. */
const isConsultedTwice = ({ effect, when }: PolicyRule): boolean =>
  effect === 'REQUIRE_APPROVAL' && fieldsRead(when).includes('approval.present');

const greatest = (bucket: Bucket): number => [...bucket.values()].reduce((most, load) => Math.max(most, workOfLoad(load)), 0);

/** Adds up the cost of versions bound to one scope, one version after the other: each takes a few milliseconds to add. */
export type WorkTally = { readonly add: (source: PolicySource) => void; readonly bound: () => WorkBound };

/**
 * Returns the maximum work that versions bound to one scope add to a decision, for any request. It depends on the conditions alone, so that
 * no
 * tool registered later increases it.
 */
export const newWorkTally = (): WorkTally => {
  const buckets: Buckets = { general: newLoad(), byField: new Map() };
  const heaviest: Heavy[] = [];
  return {
    add: (source) => {
      for (const [index, rule] of source.body.rules.entries()) {
        addRule(buckets, heaviest, source, rule, `/rules/${index}`);
        if (isConsultedTwice(rule)) addRule(buckets, [], source, rule, `/rules/${index}`);
      }
    },
    bound: () => {
      const found = [...buckets.byField.values()].reduce((sum, bucket) => sum + greatest(bucket), 0);
      return { work: workOfLoad(buckets.general) + found, heaviest };
    },
  };
};
