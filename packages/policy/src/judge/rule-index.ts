import type { PolicyContext } from '../evaluation/policy-context.ts';
import { FIELDS } from '../language/fields.ts';
import type { CompiledRule } from './compile-version.ts';

/** A rule with its position among all rules of a set. */
export type IndexedRule = { readonly rule: CompiledRule; readonly place: number };

type Lookup = {
  readonly read: (context: PolicyContext) => unknown;
  readonly byValue: ReadonlyMap<string, readonly IndexedRule[]>;
  readonly every: readonly IndexedRule[];
};

/** Rules by the values they require; `general` contains those that require none. All lists are in order of position. */
export type RuleIndex = { readonly size: number; readonly general: readonly IndexedRule[]; readonly lookups: readonly Lookup[] };

const NONE: readonly IndexedRule[] = [];

type Filling = { readonly byValue: Map<string, IndexedRule[]>; readonly every: IndexedRule[] };

/** Values processed before yielding: about a millisecond. */
const STEP_VALUES = 2_000;

const keep = ({ byValue, every }: Filling, placed: IndexedRule, value: string): void => {
  if (every.at(-1) !== placed) every.push(placed);
  const list = byValue.get(value);
  if (list === undefined) byValue.set(value, [placed]);
  else if (list.at(-1) !== placed) list.push(placed);
};

/** Builds the index of rules given in order of position, step by step: they can require half a million values. */
export function* indexInSteps(rules: readonly IndexedRule[]): Generator<void, RuleIndex> {
  const fillings = new Map<string, Filling>();
  const general: IndexedRule[] = [];
  let looked = 0;
  for (const placed of rules) {
    const { required } = placed.rule;
    if (required === null) general.push(placed);
    for (const { field, value } of required ?? []) {
      const filling = fillings.get(field) ?? { byValue: new Map<string, IndexedRule[]>(), every: [] };
      fillings.set(field, filling);
      keep(filling, placed, value);
      looked += 1;
      if (looked % STEP_VALUES === 0) yield;
    }
  }
  const lookups = FIELDS.flatMap(({ name, read }) => {
    const filling = fillings.get(name);
    return filling === undefined ? [] : [{ read, ...filling }];
  });
  return { size: rules.length, general, lookups };
}

/** Merges two lists in order of position; a rule that is in both is kept once. */
const merge = (left: readonly IndexedRule[], right: readonly IndexedRule[]): readonly IndexedRule[] => {
  if (left.length === 0) return right;
  if (right.length === 0) return left;
  const merged: IndexedRule[] = [];
  let l = 0;
  let r = 0;
  for (;;) {
    const a = left[l];
    const b = right[r];
    if (a === undefined && b === undefined) return merged;
    if (b === undefined || (a !== undefined && a.place < b.place)) {
      merged.push(a as IndexedRule);
      l += 1;
    } else {
      merged.push(b);
      r += 1;
      if (a?.place === b.place) l += 1;
    }
  }
};

/** Returns the rules that can match the request, in order of position. An unknown field keeps all rules that require it. */
export const candidates = (index: RuleIndex, context: PolicyContext): readonly IndexedRule[] => {
  let found = index.general;
  for (const lookup of index.lookups) {
    const value = lookup.read(context);
    found = merge(found, typeof value === 'string' ? (lookup.byValue.get(value) ?? NONE) : lookup.every);
  }
  return found;
};
