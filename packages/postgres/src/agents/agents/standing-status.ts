import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import { type RawBuilder, sql } from 'kysely';

/** The status of an agent at this moment: one whose end has come is EXPIRED, whether or not the clock's job has written so. */
export const getStandingStatus = (agents: string): RawBuilder<AgentStatus> => {
  const [status, end] = [sql.ref(`${agents}.status`), sql.ref(`${agents}.expires_at`)];
  return sql<AgentStatus>`case when ${end} <= now() and ${status} in ('ACTIVE', 'PAUSED', 'SUSPENDED', 'ISOLATED') then 'EXPIRED' else ${status} end`;
};

/** The current status of the agent of rows; null if it does not exist. */
export const getAgentStanding = (rows: string): RawBuilder<AgentStatus | null> => sql<AgentStatus | null>`(
  select ${getStandingStatus('g')} from agents g
   where g.organization_id = ${sql.ref(`${rows}.organization_id`)} and g.id = ${sql.ref(`${rows}.agent_id`)})`;
