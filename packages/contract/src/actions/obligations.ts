import { type Static, Type } from 'typebox';
import { amount, closedObject, currency, enumSchema, nullable, wholeNumber } from '../rows/schema.ts';
import { POLICY_LIMITS } from '../tables/limits/policy-limits.ts';

/** Subject of the counter of a LIMIT rule: each agent, or all agents that act with the authority of one person. */
export const LIMIT_SUBJECTS = ['agent', 'root_principal'] as const;

/**
 * Ceiling of a LIMIT rule: of all calls inside the window, or of one call without a window. Amounts are in minor units of the version's
 * currency.
 */
export const LimitDemand = closedObject({
  max_amount: Type.Optional(amount),
  max_calls: Type.Optional(wholeNumber(1, POLICY_LIMITS.calls_max, 'Maximum number of calls in the window.')),
  window_seconds: Type.Optional(wholeNumber(1, POLICY_LIMITS.window_seconds_max, 'Length of the sliding window.')),
  per: Type.Optional(
    enumSchema(
      LIMIT_SUBJECTS,
      'Scope of the counter in the window: each agent (default), or all agents under the authority of one root principal.',
    ),
  ),
});
export type LimitDemand = Static<typeof LimitDemand>;

const obligationSource = { rule_id: Type.String(), policy_id: Type.String(), version_id: Type.String() };

/** Obligations of all matching rules, also of rules that did not decide: each approval must be given, each limit kept, all paths masked. */
export const PolicyObligations = closedObject({
  approvals: Type.Array(
    closedObject({
      ...obligationSource,
      approver_role: Type.String(),
      quorum: Type.Integer(),
      expires_in_seconds: Type.Integer(),
      step_up: Type.Boolean(),
      approvers: Type.Optional(Type.Array(Type.String())),
      escalate_after_seconds: Type.Optional(Type.Integer()),
      escalate_to_role: Type.Optional(Type.String()),
    }),
  ),
  limits: Type.Array(closedObject({ ...obligationSource, ...LimitDemand.properties, currency: Type.Optional(currency) })),
  mask: nullable(closedObject({ parameters: Type.Array(Type.String()), result: Type.Array(Type.String()) })),
});
export type PolicyObligations = Static<typeof PolicyObligations>;
