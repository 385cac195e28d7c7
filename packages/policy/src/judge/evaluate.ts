import type { ConsultedRule, PolicyDecision } from '@svc/contract/policies/language.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/policy-limits.ts';
import { newRun, noteUnknown, type Run, spend } from '../evaluation/node.ts';
import { FALSE, TRUE } from '../evaluation/outcome.ts';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import type { PolicySet } from './compile-set.ts';
import type { CompiledRule } from './compile-version.ts';
import { hasCurrencies, inCurrency } from './in-currency.ts';
import { joinDemands, NO_OBLIGATIONS, type RuleDemand } from './obligations.ts';
import { candidates, type PlacedRule, type RuleIndex } from './rule-index.ts';

/** The reason of the refusal when no matching rule permits or blocks. */
export const NO_RULE_REASON = 'No policy rule allows this action';

const NO_FIELDS = Object.freeze([]) as unknown as string[];
const NO_RULES: readonly PlacedRule[] = [];

/** A decision and the compiled rules that it consulted, in the order of its `matched_rules`. */
export type Judgement = { readonly decision: PolicyDecision; readonly rules: readonly CompiledRule[] };

type Tally = {
  readonly run: Run;
  readonly rules: CompiledRule[];
  readonly consulted: ConsultedRule[];
  winner: CompiledRule | null;
  permitted: boolean;
  demands: RuleDemand[] | null;
};

const consult = (rule: CompiledRule, context: PolicyContext, tally: Tally): void => {
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
  // Rules come narrowest binding first and in rule order, so only a stricter one takes the place of an earlier one.
  if (tally.winner === null || rule.strictness > tally.winner.strictness) tally.winner = rule;
  if (rule.permits) tally.permitted = true;
  if (rule.demand === null) return;
  if (tally.demands === null) tally.demands = [rule.demand];
  else tally.demands.push(rule.demand);
};

const ofAgent = (set: PolicySet, context: PolicyContext, run: Run): RuleIndex | undefined => {
  if (set.agents.size === 0) return undefined;
  const id = context.agent?.id;
  if (typeof id === 'string') return set.agents.get(id);
  noteUnknown(run, 'agent.id');
  return undefined;
};

/** The rule that decides; none where obligations alone match, since these narrow what a rule permits and permit nothing. */
const deciding = ({ winner, permitted }: Tally): CompiledRule | null =>
  winner === null || permitted || winner.identity.effect === 'BLOCK' ? winner : null;

/**
 * Decides a request: the strictest effect among the matching rules, then the narrowest binding, then rule order; BLOCK where no ALLOW or
 * REQUIRE_APPROVAL rule matches. Obligations of all matching rules are told, whichever decides. Pure, and the same answer whatever index
 * found the rules. Throws OutOfWork where that would take more units of work than are given, and nothing else on any context that came
 * from JSON.
 */
export const judge = (set: PolicySet, context: PolicyContext, work: number = POLICY_LIMITS.decision_work_max): Judgement => {
  const run = newRun(work);
  const tally: Tally = { run, rules: [], consulted: [], winner: null, permitted: false, demands: null };
  const own = ofAgent(set, context, run);
  for (const { rule } of own === undefined ? NO_RULES : candidates(own, context)) consult(rule, context, tally);
  for (const { rule } of candidates(set.general, context)) consult(rule, context, tally);
  const { rules, consulted, demands } = tally;
  const winner = deciding(tally);
  const decision: PolicyDecision = {
    effect: winner === null ? 'BLOCK' : winner.identity.effect,
    matched_rule: winner === null ? null : winner.identity,
    matched_rules: consulted,
    skipped: set.general.size + (own?.size ?? 0) - consulted.length,
    reason: winner === null ? NO_RULE_REASON : winner.identity.reason,
    obligations: demands === null ? NO_OBLIGATIONS : joinDemands(demands),
    unknown_fields: run.unknownFields ?? NO_FIELDS,
  };
  return { decision, rules };
};

/** `judge` for whoever needs the decision alone. */
export const evaluate = (set: PolicySet, context: PolicyContext, work?: number): PolicyDecision => judge(set, context, work).decision;
