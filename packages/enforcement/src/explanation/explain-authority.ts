import { lostAmong } from '../facts/claims.ts';
import type { DelegatedAuthority, Facts, Learned } from '../facts/facts.ts';

const delegated = ({ chain, delegation_id, named, refused }: DelegatedAuthority): Record<string, unknown> => ({
  delegation_id,
  named,
  ...(chain ? { depth: chain.depth, root_principal: chain.root_principal, chain: chain.shown() } : { chain: [] }),
  ...(refused ? { refused } : {}),
});

/** The link whose counted ceiling had no room when the decision was to be recorded. */
const refusedByCount = ({ lost }: Facts, { claims = [] }: Learned): Pick<DelegatedAuthority, 'refused'> => {
  const full = lostAmong(lost, claims);
  if (!full?.claim.source?.delegation_id) return {};
  const { code, label, source } = full.claim;
  return { refused: { code, reason: label, at: source.delegation_id, field: `ceiling.${full.bound}`, allowed: full.claim[full.bound] } };
};

/** What the request rests on: the agent's own grant, or the chain with what each link of it takes away and which one refused. */
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
