import type { ConsultedRule } from '@svc/contract/policies/language.ts';
import { type EvaluationState, spend } from '../evaluation/node.ts';
import { FALSE, TRUE } from '../evaluation/outcome.ts';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import type { CompiledRule } from './compile-version.ts';
import { hasCurrencies, inCurrency } from './in-currency.ts';
import type { RuleDemand } from './obligations.ts';

/** The result of consulting rules in order. */
export type ConsultTally = {
  readonly run: EvaluationState;
  readonly rules: CompiledRule[];
  readonly consulted: ConsultedRule[];
  winner: CompiledRule | null;
  permitted: boolean;
  demands: RuleDemand[] | null;
};

export const newTally = (run: EvaluationState): ConsultTally => ({
  run,
  rules: [],
  consulted: [],
  winner: null,
  permitted: false,
  demands: null,
});

/** Evaluates one rule for a request, and adds its result. */
export const consult = (rule: CompiledRule, context: PolicyContext, tally: ConsultTally): void => {
  const { run } = tally;
  spend(run, rule.work);
  run.conditions = [];
  run.tooLong = false;
  const seen = rule.currency === null || !hasCurrencies(context) ? context : inCurrency(context, rule.currency);
  const outcome = rule.when(seen, run);
  const matchedOnMissing = outcome !== TRUE && outcome !== FALSE && (rule.matchesOnMissing || (run.tooLong && rule.narrows));
  const matched = outcome === TRUE || matchedOnMissing;
  const { identity } = rule;
  tally.rules.push(rule);
  tally.consulted.push({
    id: identity.id,
    policy_id: identity.policy_id,
    policy_name: identity.policy_name,
    version_id: identity.version_id,
    version_number: identity.version_number,
    effect: identity.effect,
    reason: identity.reason,
    binding: identity.binding,
    outcome: matched ? 'matched' : outcome === FALSE ? 'not_matched' : 'unknown',
    matched_on_missing: matchedOnMissing,
    conditions: run.conditions,
  });
  if (seen !== context && rule.currency !== null) (tally.consulted.at(-1) as ConsultedRule).currency = rule.currency;
  if (!matched) return;
  // Rules are ordered by narrowest binding and rule order, so only a stricter one replaces an earlier one.
  if (tally.winner === null || rule.strictness > tally.winner.strictness) tally.winner = rule;
  if (rule.permits) tally.permitted = true;
  if (rule.demand === null) return;
  if (tally.demands === null) tally.demands = [rule.demand];
  else tally.demands.push(rule.demand);
};
