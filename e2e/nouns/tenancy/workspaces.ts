import { newAgent } from '@svc/testing/agents/agent.ts';
import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import type { NounTests } from '../noun-tests.ts';
import type { NounScene } from '../scene/scene.ts';

const reason = 'test';

/** Creates an environment with a pending approval. */
export const newWaiting = async (scene: NounScene) => {
  const workspace_id: string = (await scene.make('POST', '/v1/workspaces', { name: scene.name('Workspace') })).id;
  const body = { workspace_id, name: scene.name('Environment'), type: 'STAGING' };
  const environment_id: string = (await scene.make('POST', '/v1/environments', body)).id;
  const place = { organization_id: scene.tenant.organization_id, workspace_id, environment_id };
  const agent = await newAgent({ ...scene.tenant, workspace_id, environment_id });
  const { approvalId } = await insertHeldAction(scene.database, place, {}, { agent_id: agent.id });
  return { workspace_id, environment_id, cancelled: ['approval.cancelled', 'approval', approvalId] as const };
};

export const workspaceTests = {
  scopes: { workspace: 'select organization_id, id as workspace_id, null as environment_id from workspaces where id = $1' },
  bodies: ({ made }) => ({
    createWorkspace: { name: `Workspace ${made}` },
    updateWorkspace: { name: `Workspace ${made}` },
    archiveWorkspace: { reason },
  }),
  recipes: {
    updateWorkspace: async ({ make, send, name }) => {
      const { id } = await make('POST', '/v1/workspaces', { name: name('Workspace') });
      const answer = await send('PATCH', `/v1/workspaces/${id}`, { name: name('Renamed') });
      return [{ answer, events: [['workspace.updated', 'workspace', id]] }];
    },
    archiveWorkspace: async (scene) => {
      const { workspace_id, cancelled } = await newWaiting(scene);
      const answer = await scene.send('POST', `/v1/workspaces/${workspace_id}/archive`, { reason });
      return [{ answer, events: [['workspace.updated', 'workspace', workspace_id], cancelled] }];
    },
    createWorkspace: async ({ send, name }) => {
      const answer = await send('POST', '/v1/workspaces', { name: name('Workspace') });
      return [{ answer, events: [['workspace.created', 'workspace', answer.json.id]] }];
    },
  },
} as const satisfies NounTests;
