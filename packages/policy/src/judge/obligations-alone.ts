import type { PolicyDecision } from '@svc/contract/policies/language.ts';
import { NO_RULE_REASON } from './evaluate.ts';

/** More rules than this in one sentence help nobody. */
const RULES_MAX = 3;

/** Whether a request was refused though rules match it, since all of them mask or limit. */
export const obligationsAlone = ({ matched_rule, obligations: { limits, mask } }: PolicyDecision): boolean =>
  matched_rule === null && (limits.length > 0 || mask !== null);

/** The reason of a refusal by policy, and which obligations match without anything that permits. */
export const blockNote = (decision: PolicyDecision): string => {
  if (!obligationsAlone(decision)) return decision.reason;
  const ids = decision.matched_rules.filter(({ outcome }) => outcome === 'matched').map(({ id }) => `"${id}"`);
  const named = `${ids.slice(0, RULES_MAX).join(', ')}${ids.length > RULES_MAX ? ` and ${ids.length - RULES_MAX} more` : ''}`;
  return `${NO_RULE_REASON}. Obligations match (${named}), but a mask or limit alone permits nothing.`;
};
