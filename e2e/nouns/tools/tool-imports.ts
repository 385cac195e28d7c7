import { buildDocument, newToolImport } from '@svc/testing/agents/new-tool-import.ts';
import { call } from '@svc/testing/people/client.ts';
import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import type { NounTests } from '../noun-tests.ts';

export const toolImportTests = {
  one: (of, word) => newToolImport(of, `${word} things`),
  bodies: ({ made, tenant }) => ({
    createToolImport: { environment_id: tenant.environment_id, source: `s${made}`, document: buildDocument('Things') },
    applyToolImport: { states: ['NEW', 'CHANGED'] },
  }),
  recipes: {
    createToolImport: async ({ tenant, send }) => {
      const { environment_id } = tenant;
      return [
        {
          answer: await send('POST', '/v1/tool-imports', { environment_id, source: 'things', document: buildDocument('Things') }),
          events: [],
        },
      ];
    },
    uploadToolImport: async ({ tenant }) => {
      const { controlUrl, token, environment_id } = tenant;
      const headers = { 'content-type': 'application/octet-stream' };
      const path = `/v1/tool-imports/files?source=things&environment_id=${environment_id}`;
      return [{ answer: await call(controlUrl, 'POST', path, { token, headers, raw: buildDocument('Things') }), events: [] }];
    },
    applyToolImport: async ({ tenant, send, make, agent, database }) => {
      const { importId, proposalKey, source, document } = await newToolImport(tenant);
      const created = await send('POST', `/v1/tool-imports/${importId}/apply`, { keys: [proposalKey] });
      const { tool_id } = created.json.results[0];
      const { organization_id, workspace_id, environment_id } = tenant;
      const place = { organization_id, workspace_id, environment_id };
      const { approvalId } = await insertHeldAction(database, place, {}, { agent_id: (await agent()).id, tool_id });
      const later = await make('POST', '/v1/tool-imports', {
        environment_id,
        source,
        document: document.replace('/v1', '/v2'),
      });
      const updated = await send('POST', `/v1/tool-imports/${later.id}/apply`, { states: ['CHANGED'] });
      return [
        { answer: created, events: [['tool.created', 'tool', tool_id]] },
        {
          answer: updated,
          events: [
            ['tool.updated', 'tool', tool_id],
            ['approval.cancelled', 'approval', approvalId],
          ],
        },
      ];
    },
    deleteToolImport: async ({ tenant, send }) => {
      const { importId } = await newToolImport(tenant);
      return [{ answer: await send('DELETE', `/v1/tool-imports/${importId}`), events: [] }];
    },
  },
} as const satisfies NounTests;
