import { insertContext } from '@svc/testing/records/insert-context.ts';
import type { NounTests } from '../noun-tests.ts';

const reason = 'test';

export const contextTests = {
  scopes: { flow_context: 'select organization_id, workspace_id, environment_id from agent_contexts where id = $1' },
  bodies: () => ({
    declareToolFlow: { labels: ['personal_data'], reason },
    declassifyContext: { labels: ['personal_data'], reason },
  }),
  recipes: {
    declareToolFlow: async ({ make, send, name, tenant }) => {
      const tool = {
        name: name('flowing')
          .toLowerCase()
          .replace(/[^a-z0-9]+/g, '-'),
        required_capability: 'x',
        kind: 'SDK',
      };
      const { id } = await make('POST', '/v1/tools', { ...tool, environment_id: tenant.environment_id });
      const answer = await send('PUT', `/v1/tools/${id}/flow`, { labels: ['personal_data'], reach: 'EXTERNAL', reason });
      return [{ answer, events: [['tool.updated', 'tool', id]] }];
    },
    declassifyContext: async ({ planes, send, agent }) => {
      const { id } = await agent();
      const { contextId } = await insertContext(planes.database, id, 'recipe');
      const answer = await send('POST', `/v1/agents/${id}/contexts/${contextId}/declassify`, { labels: ['personal_data'], reason });
      return [{ answer, events: [['context.labels_cleared', 'flow_context', contextId]] }];
    },
  },
} as const satisfies NounTests;
