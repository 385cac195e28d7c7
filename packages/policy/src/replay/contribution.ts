import type { ConsultedRule, PolicyDecision } from '@svc/contract/policy-language.ts';
import type { PolicySet } from '../compile-set.ts';
import type { PolicyContext } from '../context.ts';
import { strictness } from '../effects.ts';
import { evaluate } from '../evaluate.ts';

/** What is left of a request that was judged long ago. */
export type Recalled = {
  readonly context: PolicyContext;
  /** Whether the request had or may have had a value in this field that nobody kept. */
  readonly lacks: (field: string) => boolean;
};

/** The strictest effect of some rules on a recalled request, as far as it is known. Strictness is the place in the list of effects, -1 for none. */
export type Contribution = {
  /** Matches whatever the lacking values were. */
  readonly sure: ConsultedRule | null;
  readonly least: number;
  /** With every rule that lacking values leave open. */
  readonly greatest: number;
  /** Lacking fields of the rules that are left open and stricter. */
  readonly open: readonly string[];
  /** What matching rules ask for, as text to compare. */
  readonly terms: string;
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

const termsOf = ({ obligations: { approvals, limits, mask } }: PolicyDecision): string =>
  approvals.length === 0 && limits.length === 0 && mask === null
    ? ''
    : JSON.stringify([
        approvals.map(({ approver_role, quorum, expires_in_seconds, step_up }) => [approver_role, quorum, expires_in_seconds, step_up]),
        limits.map(({ max_amount, max_calls, window_seconds, per }) => [max_amount, max_calls, window_seconds, per]),
        mask,
      ]);

export const contribution = (set: PolicySet, { context, lacks }: Recalled): Contribution => {
  const decision = evaluate(set, context);
  let sure: ConsultedRule | null = null;
  let least = -1;
  const doubtful: { readonly strictness: number; readonly fields: readonly string[] }[] = [];
  for (const rule of decision.matched_rules) {
    const fields = hangsOn(rule, lacks);
    const strict = strictness(rule.effect);
    if (fields.length > 0) doubtful.push({ strictness: strict, fields });
    else if (rule.outcome === 'matched' && strict > least) {
      sure = rule;
      least = strict;
    }
  }
  const open = doubtful.filter((one) => one.strictness > least);
  return {
    sure,
    least,
    greatest: open.reduce((most, one) => Math.max(most, one.strictness), least),
    open: open.flatMap(({ fields }) => fields),
    terms: termsOf(decision),
  };
};
