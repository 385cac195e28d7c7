import type { TrustRequirement } from '@svc/contract/risk/trust/trust-shapes.ts';
import { computeTrust, counts, type EvidenceFacts, type Trust } from '@svc/domain/risk/trust/trust-level.ts';
import { findShortfall, listShortfallTexts, type Shortfall } from '@svc/domain/risk/trust/trust-requirement.ts';
import type { Facts, Learned } from './facts.ts';

type TrustFacts = Pick<Facts, 'agent' | 'environment' | 'now'>;

/** Returns the evidence about the agent that counts at the time of the decision. */
const countingEvidence = ({ agent, environment, now }: TrustFacts): readonly EvidenceFacts[] =>
  agent.evidence.filter((piece) => counts(piece, now, environment.disabled_providers));

export const getAgentTrust = (facts: TrustFacts): Trust => computeTrust(countingEvidence(facts));

export type UnmetRequirement = Shortfall & {
  readonly of: 'ENVIRONMENT' | 'TOOL';
  readonly required: TrustRequirement;
  readonly texts: readonly string[];
};

/** Returns the first requirement, of the environment and then of the tool, that the agent does not meet. */
export const findUnmetRequirement = (facts: TrustFacts, { tool }: Learned): UnmetRequirement | undefined => {
  const required = [
    { of: 'ENVIRONMENT' as const, requires: facts.environment.requires_trust },
    { of: 'TOOL' as const, requires: tool?.requires_trust ?? null },
  ];
  const pieces = required.some(({ requires }) => requires !== null) ? countingEvidence(facts) : [];
  for (const { of, requires } of required) {
    const shortfall = requires === null ? undefined : findShortfall(requires, pieces, facts.now);
    if (requires !== null && shortfall) return { ...shortfall, of, required: requires, texts: listShortfallTexts(requires, shortfall) };
  }
  return undefined;
};

const SHOWN_MAX = 20;

/** Returns evidence that would count if it had not expired, or if the agent still had the artifact. */
export const listEndedEvidence = ({ agent, environment, now }: TrustFacts) => {
  const usable = agent.evidence.filter(({ provider_id, is_lowering }) => !is_lowering && !environment.disabled_providers.has(provider_id));
  const isOver = ({ expires_at }: EvidenceFacts): boolean => Date.parse(expires_at) <= now.getTime();
  return {
    expired: usable
      .filter((piece) => piece.is_bound && isOver(piece))
      .slice(0, SHOWN_MAX)
      .map(({ id, kind, expires_at }) => ({ id, kind, expired_at: expires_at })),
    unbound: usable
      .filter((piece) => !piece.is_bound && !isOver(piece))
      .slice(0, SHOWN_MAX)
      .map(({ id, kind }) => ({ id, kind })),
  };
};
