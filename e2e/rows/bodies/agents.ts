import { newKeyPair } from '@svc/testing/agents/agent.ts';
import { type Asked, type Bodies, reason } from './bodies-of.ts';

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
  revokeAgent: { reason },
  rotateAgentCredentials: { public_key: newKeyPair().publicKey },
  renewPassport: { reason },
  grantCapability: { capability: `capability.${made}` },
});
