import type { PolicyObligations } from '@svc/contract/actions/obligations.ts';
import type { ConsultedRule } from '@svc/contract/policies/language.ts';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import type { PolicySet } from '../judge/compile-set.ts';
import { evaluate } from '../judge/evaluate.ts';
import { permits, strictness } from '../language/effects.ts';

/** The recorded part of an earlier request. */
export type Recalled = {
  readonly context: PolicyContext;
  /** Returns true if the request had or may have had a value in this field that was not recorded. */
  readonly lacks: (field: string) => boolean;
};

/** A rule that may or may not have matched, since it depends on missing records. */
export type Doubtful = { readonly strictness: number; readonly permits: boolean; readonly fields: readonly string[] };

/** The known result of some rules for a recalled request. Strictness is the index in the list of effects, -1 for none. */
export type Contribution = {
  /** The strictest rule that matches for any of the lacking values. */
  readonly sure: ConsultedRule | null;
  readonly least: number;
  /** True if a permitting rule certainly matches. */
  readonly permits: boolean;
  readonly doubtful: readonly Doubtful[];
  /** The demands of matching rules. */
  readonly asks: PolicyObligations;
};

const isPresence = (op: string): boolean => op === 'exists' || op === 'not_exists';

/** Returns the lacking fields that decide if the rule matches. A mask in the parameters replaces a value, so that nothing is missing. */
const hangsOn = (rule: ConsultedRule, lacks: Recalled['lacks']): string[] => {
  const asksForMissing = rule.outcome === 'unknown' || rule.matched_on_missing;
  return rule.conditions
    .filter(({ field, op, unknown_because, actual }) => {
      if (field.startsWith('parameters.')) return true;
      return isPresence(op) ? actual === undefined : asksForMissing && unknown_because === 'missing';
    })
    .map(({ field }) => field)
    .filter(lacks);
};

/**
 * Serializes the demands of matching rules for comparison; the masks of the third group apply in any case, so that a mask it shares makes
 * no difference.
 */
const writeTerms = (own: PolicyObligations, beside: PolicyObligations['mask']): string => {
  const { approvals, limits, mask } = own;
  const hidden = (side: 'parameters' | 'result'): string[] => [...new Set([...(mask?.[side] ?? []), ...(beside?.[side] ?? [])])].toSorted();
  return JSON.stringify([
    approvals.map(({ rule_id, policy_id, version_id, ...asked }) =>
      Object.entries(asked).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ),
    limits.map(({ max_amount, max_calls, window_seconds, per }) => [max_amount, max_calls, window_seconds, per]),
    hidden('parameters'),
    hidden('result'),
  ]);
};

/** Returns true if two groups of rules demand the same, given a third one. */
export const asksForSame = (one: Contribution, other: Contribution, beside: Contribution | null): boolean => {
  const mask = beside?.asks.mask ?? null;
  return one.asks === other.asks || writeTerms(one.asks, mask) === writeTerms(other.asks, mask);
};

export const contribution = (set: PolicySet, { context, lacks }: Recalled): Contribution => {
  const decision = evaluate(set, context);
  let sure: ConsultedRule | null = null;
  let least = -1;
  let permitted = false;
  const doubtful: Doubtful[] = [];
  for (const rule of decision.matched_rules) {
    const fields = hangsOn(rule, lacks);
    const strict = strictness(rule.effect);
    if (fields.length > 0) doubtful.push({ strictness: strict, permits: permits(rule.effect), fields });
    else if (rule.outcome === 'matched') {
      permitted ||= permits(rule.effect);
      if (strict > least) {
        sure = rule;
        least = strict;
      }
    }
  }
  return { sure, least, permits: permitted, doubtful, asks: decision.obligations };
};
