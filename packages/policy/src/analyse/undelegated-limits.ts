import type { VersionBody } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import { fieldConditions } from '../language/field-conditions.ts';

const DELEGATION = 'delegation.';

/**
 * Warns of limits per root principal if an agent may act without a delegation: such requests count per agent, so that each further agent
 * has the limit again. `undelegated` are names of environments that do not require delegations. A rule that itself reads the delegation is
 * left out.
 */
export const undelegatedLimits = ({ rules }: Pick<VersionBody, 'rules'>, undelegated: readonly string[]): PolicyWarning[] => {
  const [first] = undelegated;
  if (first === undefined) return [];
  return rules.flatMap(({ id, limit, when }, position) => {
    const isPerRoot = limit?.per === 'root_principal';
    if (!isPerRoot || fieldConditions(when).some(({ condition }) => condition.field.startsWith(DELEGATION))) return [];
    const where = undelegated.length === 1 ? `The environment "${first}" does` : `"${first}" and other environments do`;
    const message = `${where} not require delegations. Requests without a delegation are counted per agent, not per root principal. Set requires_delegation on the environment.`;
    return [{ kind: 'undelegated_limit' as const, rule_id: id, pointer: `/rules/${position}/limit/per`, message }];
  });
};
