import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { expireAgent } from '@svc/operations/agents/agents/expire-agent.ts';
import { findOrganizationsWithOverdueAgents } from '@svc/postgres/agents/agents/overdue-agents.ts';
import type { Job } from './job.ts';

/** Records that agents expired. Decisions do not depend on it: they read the expiry of the agent. */
export const expireAgents: Job<ClockEvent<'expire-agents'>> = {
  name: 'expire-agents',
  everyMs: 2_000,
  findOrganizations: findOrganizationsWithOverdueAgents,
  step: expireAgent,
};
