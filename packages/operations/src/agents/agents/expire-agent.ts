import { updateAgentRow } from '@svc/postgres/agents/agents/agents.ts';
import { lockOverdueAgent } from '@svc/postgres/agents/agents/overdue-agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { cancelAgentApprovals } from './end-agents.ts';

const REASON = 'The agent reached its end.';

/**
 * Expires one agent that reached its end: its sessions end, and its open approvals are cancelled. One agent per transaction: the update
 * locks the epoch of the agent, and a transaction that holds an epoch must not wait for another one. Returns true if there may be more.
 */
export const expireAgent = async (
  change: Change<'agent.expired' | 'approval.cancelled'>,
  organization_id: string,
  now: Date,
): Promise<boolean> => {
  const { tx, emit } = change;
  const agent = await lockOverdueAgent(tx, organization_id);
  if (!agent) return false;
  const { status: from, expires_at } = agent;
  const more = await cancelAgentApprovals(change, [agent.id], { scope: { organization_id }, reason: REASON, now }, 'AGENT_NOT_OPERATIONAL');
  // It stays overdue until the last of its approvals is cancelled.
  if (more) return true;
  await updateAgentRow(tx, organization_id, agent.id, { status: 'EXPIRED', killsSessions: true }, now);
  emit('agent.expired', { ...about.agent(agent), data: { before: { status: from }, after: { status: 'EXPIRED' }, expires_at } });
  return true;
};
