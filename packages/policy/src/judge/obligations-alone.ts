import type { PolicyDecision } from '@svc/contract/policies/language.ts';
import { NO_RULE_REASON } from './evaluate.ts';

/** Maximum number of rules in one sentence. */
const RULES_MAX = 3;

/** Returns true if a request was refused although rules match it, since all of them mask or limit. */
export const obligationsAlone = ({ matched_rule, obligations: { limits, mask } }: PolicyDecision): boolean =>
  matched_rule === null && (limits.length > 0 || mask !== null);

/** Returns the reason of a refusal by policy, and the obligations that match without a permission. */
export const formatBlockNote = (decision: PolicyDecision): string => {
  if (!obligationsAlone(decision)) return decision.reason;
  const ids = decision.matched_rules.filter(({ outcome }) => outcome === 'matched').map(({ id }) => `"${id}"`);
  const named = `${ids.slice(0, RULES_MAX).join(', ')}${ids.length > RULES_MAX ? ` and ${ids.length - RULES_MAX} more` : ''}`;
  return `${NO_RULE_REASON}. Obligations match (${named}), but a mask or limit alone permits nothing.`;
};
