import { buildId } from '@svc/contract/tables/ids.ts';
import type { FreshDatabase } from '../database/database.ts';
import { newUlid } from './new-ulid.ts';

/** Inserts the flow context of an agent that read a labelled result. Its source names `word`. */
export const insertContext = async (database: FreshDatabase, agentId: string, word: string, name = '*'): Promise<{ contextId: string }> => {
  const client = await database.client();
  const contextId = buildId('flow_context', newUlid());
  const source = {
    label: 'personal_data',
    tool: word,
    host: null,
    readers: null,
    hosts: [],
    action_id: 'act_1',
    at: new Date().toISOString(),
  };
  await client.query(
    `insert into agent_contexts (organization_id, agent_id, id, name, workspace_id, environment_id, labels, sources, started_at, last_used_at)
     select a.organization_id, a.id, $2, $4, e.workspace_id, a.environment_id, array['personal_data'], $3, now(), now()
       from agents a join environments e on e.organization_id = a.organization_id and e.id = a.environment_id where a.id = $1`,
    [agentId, contextId, JSON.stringify([source]), name],
  );
  await client.end();
  return { contextId };
};
