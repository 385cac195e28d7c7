import { newKeyPair } from '@svc/testing/agents/agent.ts';
import { type Asked, type Bodies, reason } from './bodies-of.ts';

/** What these bodies name is used by other rows too. */
const NOBODY = 'agt_00000000000000000000000000';

export const agentBodies = ({
  made,
  setting: {
    tenant: { workspace_id, environment_id },
  },
}: Asked): Bodies => ({
  createAgent: { name: `Agent ${made}`, workspace_id, environment_id, capabilities: [] },
  updateAgent: { description: `${made}` },
  pauseAgent: {},
  resumeAgent: {},
  suspendAgent: { reason },
  isolateAgent: { reason },
  decommissionAgent: { reason },
  revokeAgent: { reason },
  bulkChangeAgents: { agent_ids: [NOBODY], operation: 'suspend', reason },
  previewBulkChange: { agent_ids: [NOBODY], operation: 'suspend' },
  rotateAgentCredentials: { public_key: newKeyPair().publicKey },
  renewPassport: { reason },
  grantCapability: { capability: `capability.${made}` },
});
