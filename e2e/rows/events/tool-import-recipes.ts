import { documentOf, newToolImport } from '@svc/testing/agents/new-tool-import.ts';
import type { ChangingOperation, Recipes } from './play.ts';

/** Tools that documents propose. */
export const toolImportRecipes = {
  createToolImport: async ({ tenant, send }) => {
    const { environment_id } = tenant;
    return [
      { answer: await send('POST', '/v1/tool-imports', { environment_id, source: 'things', document: documentOf('Things') }), events: [] },
    ];
  },
  applyToolImport: async ({ tenant, send }) => {
    const { importId, proposalKey } = await newToolImport(tenant);
    const answer = await send('POST', `/v1/tool-imports/${importId}/apply`, { keys: [proposalKey] });
    return [{ answer, events: [['tool.created', 'tool', answer.json.results[0].tool_id]] }];
  },
  deleteToolImport: async ({ tenant, send }) => {
    const { importId } = await newToolImport(tenant);
    return [{ answer: await send('DELETE', `/v1/tool-imports/${importId}`), events: [] }];
  },
} satisfies Pick<Recipes, Extract<ChangingOperation, `${string}ToolImport`>>;
