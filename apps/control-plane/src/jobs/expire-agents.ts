import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { cancelApprovalsOf } from '@svc/operations/agents/agents/end-agents.ts';
import { updateAgentRow } from '@svc/postgres/agents/agents/agents.ts';
import { findOrganizationsWithOverdueAgents, lockOverdueAgent } from '@svc/postgres/agents/agents/overdue-agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Job } from './job.ts';

const REASON = 'The agent reached its end.';

/**
 * Writes down that agents have reached their end: their sessions end, and what of theirs waits for a vote. No decision waits for it. One agent
 * at a time: what is written moves its epoch, and nobody who holds one waits for another.
 */
export const expireAgents: Job<ClockEvent<'expire-agents'>> = {
  name: 'expire-agents',
  everyMs: 2_000,
  findOrganizations: findOrganizationsWithOverdueAgents,
  step: async (change, organization_id, now) => {
    const { tx, emit } = change;
    const agent = await lockOverdueAgent(tx, organization_id);
    if (!agent) return false;
    const { status: from, expires_at } = agent;
    const more = await cancelApprovalsOf(change, [agent.id], { scope: { organization_id }, reason: REASON, now }, 'AGENT_NOT_OPERATIONAL');
    // It stays overdue until the last of its approvals is withdrawn.
    if (more) return true;
    await updateAgentRow(tx, organization_id, agent.id, { status: 'EXPIRED', killsSessions: true }, now);
    emit('agent.expired', { ...about.agent(agent), data: { before: { status: from }, after: { status: 'EXPIRED' }, expires_at } });
    return true;
  },
};
