import type { AreaHandlers } from '@svc/http/calls/call.ts';
import { createAgent } from './agents/create-agent.ts';
import { decommissionAgent } from './agents/decommission-agent.ts';
import { exportPassport } from './agents/export-passport.ts';
import { getAgent } from './agents/get-agent.ts';
import { getAgentAuthority } from './agents/get-agent-authority.ts';
import { getAgentEnforcement } from './agents/get-agent-enforcement.ts';
import { getAgentHealth } from './agents/get-agent-health.ts';
import { getAgentListing } from './agents/get-agent-listing.ts';
import { getAgentPassport } from './agents/get-agent-passport.ts';
import { grantCapability } from './agents/grant-capability.ts';
import { isolateAgent } from './agents/isolate-agent.ts';
import { listAgents } from './agents/list-agents.ts';
import { pauseAgent } from './agents/pause-agent.ts';
import { publishAgent } from './agents/publish-agent.ts';
import { renewPassport } from './agents/renew-passport.ts';
import { resumeAgent } from './agents/resume-agent.ts';
import { revokeAgent } from './agents/revoke-agent.ts';
import { revokeCapability } from './agents/revoke-capability.ts';
import { rotateAgentCredentials } from './agents/rotate-agent-credentials.ts';
import { suspendAgent } from './agents/suspend-agent.ts';
import { unpublishAgent } from './agents/unpublish-agent.ts';
import { updateAgent } from './agents/update-agent.ts';
import { verifyPassport } from './agents/verify-passport.ts';
import { createDelegation } from './delegations/create-delegation.ts';
import { extendDelegation } from './delegations/extend-delegation.ts';
import { getDelegation } from './delegations/get-delegation.ts';
import { getDelegationGraph } from './delegations/get-delegation-graph.ts';
import { listDelegations } from './delegations/list-delegations.ts';
import { previewRevocation } from './delegations/preview-revocation.ts';
import { reduceDelegation } from './delegations/reduce-delegation.ts';
import { revokeDelegation } from './delegations/revoke-delegation.ts';
import { simulateDelegation } from './delegations/simulate-delegation.ts';
import type { AgentsDeps } from './deps.ts';
import { bulkChangeAgents } from './fleet/bulk-change-agents.ts';
import { listClientLibraries } from './fleet/list-client-libraries.ts';
import { previewBulkChange } from './fleet/preview-bulk-change.ts';
import { introspectToken } from './oauth/introspect-token.ts';

/** Handlers of this area, one per row. A missing handler, or one of another area, does not compile. */
export const agentsHandlers: AreaHandlers<'control', 'agents', AgentsDeps> = {
  listAgents,
  createAgent,
  getAgent,
  updateAgent,
  pauseAgent,
  renewPassport,
  verifyPassport,
  exportPassport,
  resumeAgent,
  suspendAgent,
  isolateAgent,
  decommissionAgent,
  revokeAgent,
  rotateAgentCredentials,
  getAgentHealth,
  getAgentEnforcement,
  getAgentAuthority,
  getAgentPassport,
  getAgentListing,
  publishAgent,
  unpublishAgent,
  grantCapability,
  revokeCapability,
  bulkChangeAgents,
  previewBulkChange,
  listClientLibraries,
  introspectToken,
  listDelegations,
  createDelegation,
  simulateDelegation,
  getDelegationGraph,
  getDelegation,
  previewRevocation,
  extendDelegation,
  reduceDelegation,
  revokeDelegation,
};
