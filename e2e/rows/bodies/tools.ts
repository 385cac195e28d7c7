import { documentOf } from '@svc/testing/agents/new-tool-import.ts';
import { type Asked, type Bodies, reason } from './bodies-of.ts';

export const toolBodies = ({
  made,
  setting: {
    tenant: { environment_id },
    agent,
  },
}: Asked): Bodies => ({
  createTool: { name: `tool-${made}`, environment_id, required_capability: 'x', kind: 'SDK' },
  authorizeAgentForTool: { agent_id: agent.id },
  disableTool: { reason },
  updateTool: { description: `${made}` },
  previewTool: { risk_rating: 'HIGH' },
  dryCallTool: {},
  restrictTool: { agent_ids: [], reason },
  enableTool: { reason },
  createToolImport: { environment_id, source: `s${made}`, document: documentOf('Things') },
  applyToolImport: { states: ['NEW', 'CHANGED'] },
});
