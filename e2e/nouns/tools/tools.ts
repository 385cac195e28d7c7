import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import type { NounTests } from '../noun-tests.ts';
import { newApprovedRequest, newTool } from '../scene/approved-request.ts';
import type { NounScene } from '../scene/scene.ts';
import { ownColumns } from '../scope-sql.ts';

const reason = 'test';

/** Creates a tool with a pending request. */
const newHeldTool = async (scene: NounScene) => {
  const { make, name, tenant, database } = scene;
  const { environment_id, workspace_id, organization_id } = tenant;
  const tool = await make('POST', '/v1/tools', {
    name: name('tool').replace(' ', '-'),
    ...{ environment_id, required_capability: 'work', kind: 'SDK', destination_allowlist: ['*.example.com'] },
  });
  const place = { organization_id, workspace_id, environment_id };
  const { approvalId } = await insertHeldAction(database, place, {}, { agent_id: (await scene.agent()).id, tool_id: tool.id });
  return { id: tool.id, approvalId };
};

const ROUTES = [{ mapping: 'orders-api', method: 'GET', path: '/orders/{order}' }];

export const toolTests = {
  words: { mapping: 'orders-api' },
  scopes: { tool: ownColumns('tools') },
  bodies: ({ made, tenant, agent }) => ({
    createTool: { name: `tool-${made}`, environment_id: tenant.environment_id, required_capability: 'x', kind: 'SDK' },
    authorizeAgentForTool: { agent_id: agent.id },
    disableTool: { reason },
    updateTool: { description: `${made}` },
    previewTool: { risk_rating: 'HIGH' },
    dryCallTool: {},
    restrictTool: { agent_ids: [], reason },
    enableTool: { reason },
    setToolRoutes: { routes: [{ mapping: 'orders-api', method: 'GET', path: `/orders-${made}/{order}` }], reason },
  }),
  recipes: {
    setToolRoutes: async (scene) => {
      const { id } = await newTool(scene);
      const answer = await scene.send('PUT', `/v1/tools/${id}/routes`, { routes: ROUTES, reason });
      return [{ answer, events: [['tool.updated', 'tool', id]] }];
    },
    createTool: async ({ send, name, tenant }) => {
      const body = {
        name: name('tool').replace(' ', '-'),
        environment_id: tenant.environment_id,
        required_capability: 'work',
        kind: 'SDK',
      };
      const answer = await send('POST', '/v1/tools', body);
      return [{ answer, events: [['tool.created', 'tool', answer.json.id]] }];
    },
    authorizeAgentForTool: async (scene) => {
      const [tool, agent] = [await newTool(scene), await scene.agent()];
      const approvalId = await newApprovedRequest(scene, agent.id, tool.id);
      const answer = await scene.send('POST', `/v1/tools/${tool.id}/agents`, { agent_id: agent.id });
      const cancelled = ['approval.cancelled', 'approval', approvalId] as const;
      return [{ answer, events: [['tool.updated', 'tool', tool.id], cancelled] }];
    },
    withdrawAgentFromTool: async (scene) => {
      const [tool, agent] = [await newTool(scene), await scene.agent()];
      await scene.make('POST', `/v1/tools/${tool.id}/agents`, { agent_id: agent.id });
      const answer = await scene.send('DELETE', `/v1/tools/${tool.id}/agents/${agent.id}`);
      return [{ answer, events: [['tool.restricted', 'tool', tool.id]] }];
    },
    disableTool: async (scene) => {
      const { id } = await newTool(scene);
      return [{ answer: await scene.send('POST', `/v1/tools/${id}/disable`, { reason }), events: [['tool.disabled', 'tool', id]] }];
    },
    enableTool: async (scene) => {
      const { id } = await newTool(scene);
      await scene.make('POST', `/v1/tools/${id}/disable`, { reason });
      return [{ answer: await scene.send('POST', `/v1/tools/${id}/enable`, { reason }), events: [['tool.enabled', 'tool', id]] }];
    },
    updateTool: async (scene) => {
      const { id, approvalId } = await newHeldTool(scene);
      const answer = await scene.send('PATCH', `/v1/tools/${id}`, { risk_rating: 'HIGH', reason });
      return [
        {
          answer,
          events: [
            ['tool.updated', 'tool', id],
            ['approval.cancelled', 'approval', approvalId],
          ],
        },
      ];
    },
    restrictTool: async (scene) => {
      const { id, approvalId } = await newHeldTool(scene);
      const answer = await scene.send('POST', `/v1/tools/${id}/restrict`, { destination_allowlist: ['a.example.com'], reason });
      return [
        {
          answer,
          events: [
            ['tool.restricted', 'tool', id],
            ['approval.cancelled', 'approval', approvalId],
          ],
        },
      ];
    },
  },
} as const satisfies NounTests;
