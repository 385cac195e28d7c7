import type { FreshDatabase } from '../database/database.ts';

/** Inserts an inspected workflow of a runtime, like a verification. Its name contains `word`. */
export const insertRuntimeWorkflow = async (database: FreshDatabase, runtimeId: string, word: string): Promise<{ workflowId: string }> => {
  const client = await database.client();
  const workflowId = 'inspected-workflow';
  const part = { version_id: 'v', nodes: [], edges: [], calls: [], open_triggers: [], issues: [] };
  await client.query(
    `insert into runtime_workflows (organization_id, workspace_id, environment_id, runtime_id, workflow_id, name, active, archived, hash, changed_at,
                                    first_seen_at, last_seen_at, inventory)
     select organization_id, workspace_id, environment_id, id, $2, $3, true, false, $4, now(), now(), now(), $5 from runtimes where id = $1`,
    [runtimeId, workflowId, `Inspected ${word}`, '0'.repeat(64), JSON.stringify({ draft: part, published: null })],
  );
  await client.end();
  return { workflowId };
};
