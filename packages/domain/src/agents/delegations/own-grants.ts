import { CHAIN_LINKS_MAX, type Link } from './delegation.ts';

/**
 * What an agent was granted itself, as the link that a delegation of its own making hangs below: it narrows nothing, and bounds what is below
 * by what the agent holds and by whether it is in operation. It bears the agent's id and stands in no table.
 */
export const ownGrants = (agentId: string, delegate: Link['delegate']): Link => ({
  id: agentId,
  parent_id: null,
  delegator: { type: 'AGENT', id: agentId },
  delegate_agent_id: agentId,
  scope: { capabilities: null, tools: null, environments: null, destinations: null },
  ceiling: { max_amount: null, currency: null, max_calls: null, window_seconds: null },
  expires_at: null,
  can_redelegate: true,
  max_depth: CHAIN_LINKS_MAX - 1,
  status: 'ACTIVE',
  delegate,
});

export const isOwnGrants = ({ id, delegate_agent_id }: Pick<Link, 'id' | 'delegate_agent_id'>): boolean => id === delegate_agent_id;
