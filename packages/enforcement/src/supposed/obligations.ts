import { limitClaims } from '../claims/limit-claims.ts';
import { requireKnown } from '../facts/stage.ts';
import { checkLost } from '../stages/12-obligations.ts';
import { type Supposing, UNSPOKEN } from './supposing.ts';

type Code = 'VELOCITY_LIMIT_EXCEEDED' | 'AUTHORITY_EXCEEDED' | 'UNPROCESSABLE';

/** Applies the limits to a request whose amount may be unknown; what depends on it stays open. A blocked request has no obligations. */
export const simulateObligations: Supposing<Code> = (facts, _supposed, { learned, soft }) => {
  if (soft !== undefined) return { ...UNSPOKEN, learned: { claims: [] } };
  const { amount, currency } = facts.request;
  const asked = amount === undefined ? 'unsaid' : { amount, currency: currency ?? facts.environment.base_currency };
  // If no delegation is named, the first one that would be tried is assumed.
  const limited = limitClaims(facts, requireKnown(learned.policy, 'policy decision'), asked, facts.agent.root_chains[0]?.root_principal);
  const claims = 'claims' in limited ? limited.claims : [];
  const over = 'refused' in limited ? limited.refused : checkLost(facts, {}, claims);
  return over === undefined ? { outcome: 'passed', learned: { claims } } : { ...over, learned: { claims } };
};
