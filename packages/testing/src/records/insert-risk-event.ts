import { buildId } from '@svc/contract/tables/ids.ts';
import type { FreshDatabase } from '../database/database.ts';
import { newUlid } from './new-ulid.ts';

/** Inserts an open risk event of an agent, like the worker. Its sentence contains `word`. */
export const insertRiskEvent = async (database: FreshDatabase, agentId: string, word: string): Promise<{ riskEventId: string }> => {
  const client = await database.client();
  const riskEventId = buildId('risk_event', newUlid());
  await client.query(
    `insert into risk_events (organization_id, id, workspace_id, environment_id, agent_id, signal, subject, points, score, sentence, evidence,
       count, first_at, last_at)
     select a.organization_id, $2, e.workspace_id, a.environment_id, a.id, 'new_destination', $3, 25, 45, $4, '{}', 1, now(), now()
       from agents a join environments e on e.organization_id = a.organization_id and e.id = a.environment_id where a.id = $1`,
    [agentId, riskEventId, `${riskEventId.toLowerCase()}.example:443`, `The agent called ${word}.`],
  );
  await client.end();
  return { riskEventId };
};
