import type { PolicyObligations } from '@svc/contract/actions/obligations.ts';
import type { MatchedRule, PolicyRule } from '@svc/contract/policies/language.ts';
import { readApprovalDemand } from '../language/effects.ts';

/** The demands of one rule when it matches. */
export type RuleDemand = {
  readonly approval?: PolicyObligations['approvals'][number];
  readonly limit?: PolicyObligations['limits'][number];
  readonly mask?: NonNullable<PolicyObligations['mask']>;
};

/** The obligations of decisions in which no matching rule demands anything. */
export const NO_OBLIGATIONS: PolicyObligations = Object.freeze({
  approvals: Object.freeze([]) as unknown as PolicyObligations['approvals'],
  limits: Object.freeze([]) as unknown as PolicyObligations['limits'],
  mask: null,
});

/** Returns the demands of a rule by the member for its effect, with defaults filled in. */
export const readDemand = (rule: PolicyRule, { id, policy_id, version_id }: MatchedRule, currency?: string): RuleDemand | null => {
  const source = { rule_id: id, policy_id, version_id };
  if (rule.effect === 'REQUIRE_APPROVAL') return { approval: { ...source, ...readApprovalDemand(rule.approval) } };
  if (rule.effect === 'LIMIT') {
    const amountsIn = currency === undefined || rule.limit?.max_amount === undefined ? {} : { currency };
    return { limit: { ...source, ...rule.limit, ...amountsIn } };
  }
  if (rule.effect === 'MASK') return { mask: { parameters: rule.mask?.parameters ?? [], result: rule.mask?.result ?? [] } };
  return null;
};

const union = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];

/** Joins the demands of all matching rules, in order: every approval, every limit, every masked path. */
export const joinDemands = (demands: readonly RuleDemand[]): PolicyObligations => {
  const masks = demands.flatMap((demand) => demand.mask ?? []);
  return {
    approvals: demands.flatMap((demand) => demand.approval ?? []),
    limits: demands.flatMap((demand) => demand.limit ?? []),
    mask:
      masks.length === 0
        ? null
        : { parameters: union(masks.map((mask) => mask.parameters)), result: union(masks.map((mask) => mask.result)) },
  };
};
