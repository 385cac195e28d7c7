import type { PolicyObligations } from '@svc/contract/actions/obligations.ts';
import type { ConsultedRule } from '@svc/contract/policies/language.ts';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import type { PolicySet } from '../judge/compile-set.ts';
import { evaluate } from '../judge/evaluate.ts';
import { permits, strictness } from '../language/effects.ts';

/** What is left of a request that was judged long ago. */
export type Recalled = {
  readonly context: PolicyContext;
  /** Whether the request had or may have had a value in this field that nobody kept. */
  readonly lacks: (field: string) => boolean;
};

/** A rule of which nobody knows whether it matched, since it hangs on fields that are lacking. */
export type Doubtful = { readonly strictness: number; readonly permits: boolean; readonly fields: readonly string[] };

/** What some rules say of a recalled request, as far as it is known. Strictness is the place in the list of effects, -1 for none. */
export type Contribution = {
  /** The strictest that matches whatever the lacking values were. */
  readonly sure: ConsultedRule | null;
  readonly least: number;
  /** Whether a rule that permits surely matches. */
  readonly permits: boolean;
  readonly doubtful: readonly Doubtful[];
  /** What matching rules ask for. */
  readonly asks: PolicyObligations;
};

const isPresence = (op: string): boolean => op === 'exists' || op === 'not_exists';

/** The lacking fields on which it hangs whether the rule matches. A mask in the parameters is there instead of a value, so that nothing is missing. */
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

/** What matching rules ask for, as text to compare; `beside` asks for its masks in any case, so that one it has too makes no difference. */
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

/** Whether two groups of rules ask for the same, beside a third one. */
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
