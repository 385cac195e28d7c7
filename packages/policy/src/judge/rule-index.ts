import type { PolicyContext } from '../evaluation/policy-context.ts';
import { FIELDS } from '../language/fields.ts';
import type { CompiledRule } from './compile-version.ts';

/** A rule with its place among all rules of a set. */
export type PlacedRule = { readonly rule: CompiledRule; readonly place: number };

type Lookup = {
  readonly read: (context: PolicyContext) => unknown;
  readonly byValue: ReadonlyMap<string, readonly PlacedRule[]>;
  readonly every: readonly PlacedRule[];
};

/** Rules found by the values they demand; `general` holds those that demand none. All lists are in order of place. */
export type RuleIndex = { readonly size: number; readonly general: readonly PlacedRule[]; readonly lookups: readonly Lookup[] };

const NONE: readonly PlacedRule[] = [];

const buildLookup = (name: string, read: Lookup['read'], rules: readonly PlacedRule[]): Lookup | null => {
  const byValue = new Map<string, PlacedRule[]>();
  const every: PlacedRule[] = [];
  for (const placed of rules) {
    const values = new Set((placed.rule.required ?? []).filter(({ field }) => field === name).map(({ value }) => value));
    if (values.size > 0) every.push(placed);
    for (const value of values) {
      const list = byValue.get(value);
      if (list === undefined) byValue.set(value, [placed]);
      else list.push(placed);
    }
  }
  return every.length === 0 ? null : { read, byValue, every };
};

/** Builds the index of rules given in order of place. */
export const indexRules = (rules: readonly PlacedRule[]): RuleIndex => ({
  size: rules.length,
  general: rules.filter(({ rule }) => rule.required === null),
  lookups: FIELDS.filter((row) => row.indexed === true).flatMap(({ name, read }) => buildLookup(name, read, rules) ?? []),
});

/** Merges two lists in order of place; a rule that is in both is kept once. */
const merge = (left: readonly PlacedRule[], right: readonly PlacedRule[]): readonly PlacedRule[] => {
  if (left.length === 0) return right;
  if (right.length === 0) return left;
  const merged: PlacedRule[] = [];
  let l = 0;
  let r = 0;
  for (;;) {
    const a = left[l];
    const b = right[r];
    if (a === undefined && b === undefined) return merged;
    if (b === undefined || (a !== undefined && a.place < b.place)) {
      merged.push(a as PlacedRule);
      l += 1;
    } else {
      merged.push(b);
      r += 1;
      if (a?.place === b.place) l += 1;
    }
  }
};

/** The rules that can match the request, in order of place. A field that is not known keeps all rules that ask for it. */
export const candidates = (index: RuleIndex, context: PolicyContext): readonly PlacedRule[] => {
  let found = index.general;
  for (const lookup of index.lookups) {
    const value = lookup.read(context);
    found = merge(found, typeof value === 'string' ? (lookup.byValue.get(value) ?? NONE) : lookup.every);
  }
  return found;
};
