import { CHAIN_LINKS_MAX, type DelegationLink } from './delegation.ts';

/**
 * Returns an agent's own grants as the link above its delegations: it narrows nothing, and bounds what is below by the capabilities and
 * status of the agent. It has the agent's id and is in no table.
 */
export const ownGrants = (agentId: string, delegate: DelegationLink['delegate']): DelegationLink => ({
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

export const isOwnGrants = ({ id, delegate_agent_id }: Pick<DelegationLink, 'id' | 'delegate_agent_id'>): boolean =>
  id === delegate_agent_id;
