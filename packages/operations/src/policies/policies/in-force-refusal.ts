import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { countInForce, type DecisionBound, workInForce } from '@svc/postgres/policies/policies/policies-in-force.ts';

const { policiesInForceMax, rulesInForceMax, bytesInForceMax } = LIMITS.policies;
const { decision_work_max, decision_counters_max } = POLICY_LIMITS;

const COUNTED = 'Rules count once per binding of their policy, bytes once per version as JSON.';

/** Returns why a request in some scope would be too expensive, in time or in counters. */
const decisionRefusal = ({ work, heaviest, counters, counting }: DecisionBound): Refusal<'UNPROCESSABLE'> | undefined => {
  if (work > decision_work_max) {
    const share = Math.ceil((work * 100) / decision_work_max);
    const message = `With this change, the most expensive request would take ${share} % of the work that one decision may take over all policies that apply to it. The most expensive conditions are in details: restrict them to a tool or capability, search less text, or use paths without "*".`;
    return buildRefusal('UNPROCESSABLE', message, { work, work_max: decision_work_max, heaviest });
  }
  if (counters <= decision_counters_max) return undefined;
  const message = `With this change, one request could be counted ${counters} times; the maximum is ${decision_counters_max} over all policies that apply to it. A LIMIT rule with window_seconds counts once for max_calls and once for max_amount; rules that compare one field with different values by eq or in do not add up. Some of the counting rules are in details: restrict each of them, for example to a tool, or combine rules with the same limit.`;
  return buildRefusal('UNPROCESSABLE', message, { counters, counters_max: decision_counters_max, counting });
};

/**
 * Returns why a change puts too much in force: for the memory of every gateway that loads it, or for the time and counters of one decision,
 * which all applicable policies share. Called after the writes, in the same transaction. Undefined if it fits.
 */
export const findInForceRefusal = async (tx: TenantTransaction, organizationId: string): Promise<Refusal<'UNPROCESSABLE'> | undefined> => {
  const inForce = await countInForce(tx, organizationId);
  const { policies, rules, bytes } = inForce;
  if (policies > policiesInForceMax || rules > rulesInForceMax || bytes > bytesInForceMax) {
    const most = `${policiesInForceMax} policies, ${rulesInForceMax} rules and ${bytesInForceMax} bytes of rules`;
    const counted = `with this change it would have ${policies} policies, ${rules} rules and ${bytes} bytes`;
    return buildRefusal('UNPROCESSABLE', `An organization can have at most ${most} active; ${counted}. ${COUNTED}`, {
      in_force: { policies, rules, bytes },
      most: { policies: policiesInForceMax, rules: rulesInForceMax, bytes: bytesInForceMax },
    });
  }
  return decisionRefusal(await workInForce(tx, organizationId, inForce));
};
