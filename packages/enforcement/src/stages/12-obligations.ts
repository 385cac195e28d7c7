import { limitClaims } from '../claims/limit-claims.ts';
import { type ClaimCode, getLostAmong, getLostCeilingDetails, getLostDetails, type LostClaim } from '../facts/claims.ts';
import type { Facts, Learned } from '../facts/facts.ts';
import { defineStage, PASSED, type Refused, refuseStage, requireKnown, type StageAnswer } from '../facts/stage.ts';
import { maskRequest } from '../obligations/mask-request.ts';

const REFUSES = ['VELOCITY_LIMIT_EXCEEDED', 'AUTHORITY_EXCEEDED', 'UNPROCESSABLE', 'ACTION_BLOCKED'] as const;
type Answer = StageAnswer<(typeof REFUSES)[number]>;

const listDetails = (lost: LostClaim, { authority, tool }: Learned) =>
  lost.claim.code === 'AUTHORITY_EXCEEDED' && authority && tool
    ? getLostCeilingDetails(lost, tool.required_capability, authority.delegation_id)
    : getLostDetails(lost);

/** Refuses a ceiling of an earlier stage or of a rule that was used up when the decision was to be recorded. */
export const checkLost = ({ lost }: Facts, learned: Learned, claims: Learned['claims'] = []): Refused<ClaimCode> | undefined => {
  const full = getLostAmong(lost, claims);
  return full && refuseStage(full.claim.code, full.claim.label, listDetails(full, learned));
};

/**
 * Applies every obligation of all matching rules except approvals: masks, amounts, and claims of counted uses, which
 * are taken when the decision is recorded.
 */
const checkObligations = (facts: Facts, learned: Learned): Answer => {
  const policy = requireKnown(learned.policy, 'policy decision');
  const { limits, mask } = policy.obligations;
  if (limits.length === 0 && mask === null) return checkLost(facts, learned, learned.claims) ?? PASSED;
  const { amount, currency } = requireKnown(learned.derived, 'request');
  const asked = amount === null || currency === null ? null : { amount, currency };
  const limited = limitClaims(facts, policy, asked, learned.authority?.chain?.root_principal);
  const masked = maskRequest(learned);
  const learnedMask = masked === undefined || 'refused' in masked ? {} : { masked };
  if ('refused' in limited) return { ...limited.refused, learned: learnedMask };
  if (masked && 'refused' in masked) return masked.refused;
  const claims = [...(learned.claims ?? []), ...limited.claims];
  const found = { ...learnedMask, claims };
  const full = checkLost(facts, learned, claims);
  return full ? { ...full, learned: found } : { outcome: 'passed', learned: found };
};

export const obligations = defineStage({ name: 'obligations', relaxedByObserve: true, refuses: REFUSES, check: checkObligations });
