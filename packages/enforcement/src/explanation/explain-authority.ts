import { getLostAmong } from '../facts/claims.ts';
import type { DelegatedAuthority, Facts, Learned } from '../facts/facts.ts';

const delegated = ({ chain, delegation_id, named, refused }: DelegatedAuthority): Record<string, unknown> => ({
  delegation_id,
  named,
  ...(chain ? { depth: chain.depth, root_principal: chain.root_principal, chain: chain.shown() } : { chain: [] }),
  ...(refused ? { refused } : {}),
});

/** Returns the link whose counted ceiling was used up when the decision was to be recorded. */
const refusedByCount = ({ lost }: Facts, { claims = [] }: Learned): Pick<DelegatedAuthority, 'refused'> => {
  const full = getLostAmong(lost, claims);
  if (!full?.claim.source?.delegation_id) return {};
  const { code, label, source } = full.claim;
  return { refused: { code, reason: label, at: source.delegation_id, field: `ceiling.${full.bound}`, allowed: full.claim[full.bound] } };
};

/** Explains the authority of a request: the agent's own grant, or the chain with each link's narrowing and the link that refused. */
export const explainAuthority = (facts: Facts, learned: Learned): Record<string, unknown> => {
  const { tool, authority } = learned;
  return {
    source: authority ? 'DELEGATION' : 'GRANT',
    capability: tool?.required_capability ?? null,
    held: tool ? facts.agent.capabilities.has(tool.required_capability) : false,
    authorized_for_tool: tool ? facts.agent.tool_ids.has(tool.id) : false,
    ...(authority ? delegated({ ...authority, ...refusedByCount(facts, learned) }) : {}),
  };
};
