import type { StageFinding } from '@svc/contract/actions/decisions.ts';
import type { PolicyDecision } from '@svc/contract/policies/language.ts';
import { limitClaims } from '../claims/limit-claims.ts';
import type { Claim } from '../facts/claims.ts';
import type { Facts } from '../facts/facts.ts';
import type { Refused } from '../facts/stage.ts';
import { checkLost, obligations } from '../stages/10-obligations.ts';

export type JudgedLimits = {
  readonly claims: readonly Claim[];
  readonly refused: Refused<'VELOCITY_LIMIT_EXCEEDED' | 'AUTHORITY_EXCEEDED' | 'UNPROCESSABLE'> | undefined;
  readonly findings: readonly StageFinding[];
};

/** Where nothing is asked of limits any more. */
export const NO_LIMITS: JudgedLimits = { claims: [], refused: undefined, findings: [] };

const stage = obligations.name;

/** The limits of a request of which the amount may not be known; what depends on it is then left open. */
export const judgeLimits = (facts: Facts, policy: PolicyDecision): JudgedLimits => {
  const { amount, currency } = facts.request;
  const asked = amount === undefined ? 'unsaid' : { amount, currency: currency ?? facts.environment.base_currency };
  // Nobody said what the request would rest on: the first of the delegations that would be tried.
  const limited = limitClaims(facts, policy, asked, facts.agent.root_chains[0]?.root_principal);
  const claims = 'claims' in limited ? limited.claims : [];
  const refused = 'refused' in limited ? limited.refused : checkLost(facts, {}, claims);
  if (refused === undefined) return { claims, refused: undefined, findings: [{ stage, outcome: 'passed' }] };
  const { code, reason } = refused;
  return { claims, refused, findings: [{ stage, outcome: 'refused', code, ...(reason ? { note: reason } : {}) }] };
};
