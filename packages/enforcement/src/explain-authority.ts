import type { DelegatedAuthority, Facts, Learned } from './facts.ts';

const delegated = ({ chain, delegation_id, named, refused }: DelegatedAuthority): Record<string, unknown> => ({
  delegation_id,
  named,
  ...(chain ? { depth: chain.depth, root_principal: chain.root_principal, chain: chain.shown() } : { chain: [] }),
  ...(refused ? { refused } : {}),
});

/** What the request rests on: the agent's own grant, or the chain with what each link of it takes away and which one refused. */
export const explainAuthority = (facts: Facts, { tool, authority }: Learned): Record<string, unknown> => ({
  source: authority ? 'DELEGATION' : 'GRANT',
  capability: tool?.required_capability ?? null,
  held: tool ? facts.agent.capabilities.has(tool.required_capability) : false,
  authorized_for_tool: tool ? facts.agent.tool_ids.has(tool.id) : false,
  ...(authority ? delegated(authority) : {}),
});
