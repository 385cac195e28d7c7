import type { PolicyObligations } from '@svc/contract/actions/obligations.ts';
import type { PolicyDecision } from '@svc/contract/policies/language.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { type EvaluationState, newRun, noteUnknown } from '../evaluation/node.ts';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import type { PolicySet } from './compile-set.ts';
import type { CompiledRule } from './compile-version.ts';
import { type ConsultTally, consult, newTally } from './consult.ts';
import { judgeWithoutApproval } from './judge-without-approval.ts';
import { joinDemands, NO_OBLIGATIONS } from './obligations.ts';
import { candidates, type IndexedRule, type RuleIndex } from './rule-index.ts';

/** The reason of a refusal if no matching rule permits or blocks. */
export const NO_RULE_REASON = 'No policy rule allows this action';

const NO_FIELDS = Object.freeze([]) as unknown as string[];
const NO_RULES: readonly IndexedRule[] = [];

/** A decision and the compiled rules that it consulted, in the order of its `matched_rules`. */
export type Judgement = {
  readonly decision: PolicyDecision;
  readonly rules: readonly CompiledRule[];
  /** The approvals that rules would require if none were present; computed if one is. */
  readonly asked: PolicyObligations['approvals'];
};

const ofAgent = (set: PolicySet, context: PolicyContext, run: EvaluationState): RuleIndex | undefined => {
  if (set.agents.size === 0) return undefined;
  const id = context.agent?.id;
  if (typeof id === 'string') return set.agents.get(id);
  noteUnknown(run, 'agent.id');
  return undefined;
};

/** Returns the deciding rule; none if obligations alone match, since these restrict what a rule permits and permit nothing. */
const deciding = ({ winner, permitted }: ConsultTally): CompiledRule | null =>
  winner === null || permitted || winner.identity.effect === 'BLOCK' ? winner : null;

type Judging = {
  readonly set: PolicySet;
  readonly context: PolicyContext;
  readonly own: RuleIndex | undefined;
  readonly tally: ConsultTally;
};

const begin = (set: PolicySet, context: PolicyContext, work: number): Judging => {
  const run = newRun(work);
  return { set, context, own: ofAgent(set, context, run), tally: newTally(run) };
};

const conclude = ({ set, context, own, tally }: Judging): Judgement => {
  const { rules, consulted, demands, run } = tally;
  const winner = deciding(tally);
  const decision: PolicyDecision = {
    effect: winner === null ? 'BLOCK' : winner.identity.effect,
    matched_rule: winner === null ? null : winner.identity,
    matched_rules: consulted,
    skipped: set.general.size + (own?.size ?? 0) - consulted.length,
    reason: winner === null ? NO_RULE_REASON : winner.identity.reason,
    obligations: demands === null ? NO_OBLIGATIONS : joinDemands(demands),
    unknown_fields: run.unknownFields === null ? NO_FIELDS : [...run.unknownFields],
  };
  return { decision, rules, asked: judgeWithoutApproval(tally, context) };
};

const ofOwn = (own: RuleIndex | undefined, context: PolicyContext): readonly IndexedRule[] =>
  own === undefined ? NO_RULES : candidates(own, context);

/** Work units of one part of a decision: a millisecond or two. */
const PART_WORK = 1_000_000;

/** Sets with a decision that took more than one part of work: their next decisions run in parts while others wait. */
const DEAR = new WeakSet<PolicySet>();
export const isExpensiveSet = (set: PolicySet): boolean => DEAR.has(set);

/**
 * Decides a request: the strictest effect among the matching rules, then the narrowest binding, then rule order; BLOCK if no ALLOW or
 * REQUIRE_APPROVAL rule matches. Obligations of all matching rules are returned. Pure, and the same result for any index
 * of the rules. Throws OutOfWork if that would exceed the given work budget, and nothing else for any context from JSON.
 */
export const judge = (set: PolicySet, context: PolicyContext, work: number = POLICY_LIMITS.decision_work_max): Judgement => {
  const judging = begin(set, context, work);
  const { own, tally } = judging;
  try {
    for (const { rule } of ofOwn(own, context)) consult(rule, context, tally);
    for (const { rule } of candidates(set.general, context)) consult(rule, context, tally);
    return conclude(judging);
  } finally {
    if (work - tally.run.work > PART_WORK) DEAR.add(set);
  }
};

/** Runs `judge` in steps of a part of work each, yielding to other work in between. */
export function* evaluateInParts(
  set: PolicySet,
  context: PolicyContext,
  work: number = POLICY_LIMITS.decision_work_max,
): Generator<void, Judgement> {
  const judging = begin(set, context, work);
  const { own, tally } = judging;
  let endsAt = work - PART_WORK;
  for (const { rule } of [...ofOwn(own, context), ...candidates(set.general, context)]) {
    consult(rule, context, tally);
    if (tally.run.work > endsAt) continue;
    endsAt = tally.run.work - PART_WORK;
    yield;
  }
  return conclude(judging);
}

/** Runs `judge` for callers that need the decision alone. */
export const evaluate = (set: PolicySet, context: PolicyContext, work?: number): PolicyDecision => judge(set, context, work).decision;
