import type { FreshDatabase } from '../database/database.ts';

/** Inserts an inspected workflow of a runtime, like a verification. Its name contains `word`. */
export const insertRuntimeWorkflow = async (database: FreshDatabase, runtimeId: string, word: string): Promise<{ workflowId: string }> => {
  const client = await database.client();
  const workflowId = 'inspected-workflow';
  const node = { disabled: false, destination: null, credential_types: [], credential_ids: [] };
  const nodes = [
    { ...node, id: 'n1', name: 'Start', type: 'n8n-nodes-base.manualTrigger', class: 'TRIGGER' },
    { ...node, id: 'n2', name: 'Charge', type: 'n8n-nodes-base.httpRequest', class: 'DIRECT_HTTP', destination: 'api.service.example' },
  ];
  const edges = [{ from: 'n1', to: 'n2', type: 'main' }];
  const part = { version_id: 'v', nodes, edges, calls: [], open_triggers: [], issues: [] };
  await client.query(
    `insert into runtime_workflows (organization_id, workspace_id, environment_id, runtime_id, workflow_id, name, active, archived, hash, changed_at,
                                    first_seen_at, last_seen_at, inventory)
     select organization_id, workspace_id, environment_id, id, $2, $3, true, false, $4, now(), now(), now(), $5 from runtimes where id = $1`,
    [runtimeId, workflowId, `Inspected ${word}`, '0'.repeat(64), JSON.stringify({ draft: part, published: null })],
  );
  await client.end();
  return { workflowId };
};
