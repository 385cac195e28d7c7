import type { Handlers } from '@svc/http/call.ts';
import { evaluateAction } from './actions/evaluate-action.ts';
import { getAction } from './actions/get-action.ts';
import { searchActions } from './actions/search-actions.ts';
import { createAgent } from './agents/create-agent.ts';
import { getAgent } from './agents/get-agent.ts';
import { getAgentAuthority } from './agents/get-agent-authority.ts';
import { getAgentHealth } from './agents/get-agent-health.ts';
import { getAgentPassport } from './agents/get-agent-passport.ts';
import { grantCapability } from './agents/grant-capability.ts';
import { listAgents } from './agents/list-agents.ts';
import { pauseAgent } from './agents/pause-agent.ts';
import { renewPassport } from './agents/renew-passport.ts';
import { resumeAgent } from './agents/resume-agent.ts';
import { revokeAgent } from './agents/revoke-agent.ts';
import { revokeCapability } from './agents/revoke-capability.ts';
import { rotateAgentCredentials } from './agents/rotate-agent-credentials.ts';
import { suspendAgent } from './agents/suspend-agent.ts';
import { updateAgent } from './agents/update-agent.ts';
import { createApiKey } from './api-keys/create-api-key.ts';
import { listApiKeys } from './api-keys/list-api-keys.ts';
import { revokeApiKey } from './api-keys/revoke-api-key.ts';
import { approveApproval } from './approvals/approve-approval.ts';
import { denyApproval } from './approvals/deny-approval.ts';
import { getApproval } from './approvals/get-approval.ts';
import { listApprovals } from './approvals/list-approvals.ts';
import { getAuditEvent } from './audit-events/get-audit-event.ts';
import { searchAuditEvents } from './audit-events/search-audit-events.ts';
import { getSession } from './auth/get-session.ts';
import { login } from './auth/login.ts';
import { logout } from './auth/logout.ts';
import { signup } from './auth/signup.ts';
import { stepUp } from './auth/step-up.ts';
import { createDelegation } from './delegations/create-delegation.ts';
import { getDelegationGraph } from './delegations/get-delegation-graph.ts';
import { listDelegations } from './delegations/list-delegations.ts';
import { reduceDelegation } from './delegations/reduce-delegation.ts';
import { revokeDelegation } from './delegations/revoke-delegation.ts';
import { simulateDelegation } from './delegations/simulate-delegation.ts';
import type { ControlDeps } from './deps.ts';
import { createEnvironment } from './environments/create-environment.ts';
import { listEnvironments } from './environments/list-environments.ts';
import { pauseEnvironment } from './environments/pause-environment.ts';
import { resumeEnvironment } from './environments/resume-environment.ts';
import { setGatewayMode } from './environments/set-gateway-mode.ts';
import { updateEnvironment } from './environments/update-environment.ts';
import { createExchangeRate } from './fx-rates/create-exchange-rate.ts';
import { deleteExchangeRate } from './fx-rates/delete-exchange-rate.ts';
import { getExchangeRates } from './fx-rates/get-exchange-rates.ts';
import { listExchangeRateHistory } from './fx-rates/list-exchange-rate-history.ts';
import { refreshExchangeRates } from './fx-rates/refresh-exchange-rates.ts';
import { checkInvariant } from './invariants/check-invariant.ts';
import { createInvariant } from './invariants/create-invariant.ts';
import { deleteInvariant } from './invariants/delete-invariant.ts';
import { listInvariants } from './invariants/list-invariants.ts';
import { controlLive } from './meta/control-live.ts';
import { controlReady } from './meta/control-ready.ts';
import { getInfo } from './meta/get-info.ts';
import { listErrorCodes } from './meta/list-error-codes.ts';
import { listEventTypes } from './meta/list-event-types.ts';
import { getOrganization } from './organization/get-organization.ts';
import { updateOrganization } from './organization/update-organization.ts';
import { activatePolicy } from './policies/activate-policy.ts';
import { bindPolicy } from './policies/bind-policy.ts';
import { createPolicy } from './policies/create-policy.ts';
import { deletePolicy } from './policies/delete-policy.ts';
import { diffPolicy } from './policies/diff-policy.ts';
import { getBuilderSchema } from './policies/get-builder-schema.ts';
import { getPolicy } from './policies/get-policy.ts';
import { getPolicySchema } from './policies/get-policy-schema.ts';
import { listPolicies } from './policies/list-policies.ts';
import { listPolicyTemplates } from './policies/list-policy-templates.ts';
import { listPolicyVersions } from './policies/list-policy-versions.ts';
import { previewPolicyTests } from './policies/preview-policy-tests.ts';
import { rollbackPolicy } from './policies/rollback-policy.ts';
import { runPolicyTests } from './policies/run-policy-tests.ts';
import { simulatePolicy } from './policies/simulate-policy.ts';
import { suspendPolicy } from './policies/suspend-policy.ts';
import { unbindPolicy } from './policies/unbind-policy.ts';
import { updatePolicy } from './policies/update-policy.ts';
import { listRoles } from './roles/list-roles.ts';
import { authorizeAgentForTool } from './tools/authorize-agent-for-tool.ts';
import { createTool } from './tools/create-tool.ts';
import { disableTool } from './tools/disable-tool.ts';
import { enableTool } from './tools/enable-tool.ts';
import { getTool } from './tools/get-tool.ts';
import { listTools } from './tools/list-tools.ts';
import { withdrawAgentFromTool } from './tools/withdraw-agent-from-tool.ts';
import { createWorkspace } from './workspaces/create-workspace.ts';
import { listWorkspaces } from './workspaces/list-workspaces.ts';

/** One handler per row of the control plane; a missing one does not compile. */
export const handlers: Handlers<'control', ControlDeps> = {
  listErrorCodes,
  listEventTypes,
  getInfo,
  controlLive,
  controlReady,
  signup,
  login,
  logout,
  getSession,
  stepUp,
  listRoles,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  getOrganization,
  updateOrganization,
  getExchangeRates,
  listExchangeRateHistory,
  createExchangeRate,
  deleteExchangeRate,
  refreshExchangeRates,
  listWorkspaces,
  createWorkspace,
  listEnvironments,
  createEnvironment,
  updateEnvironment,
  setGatewayMode,
  pauseEnvironment,
  resumeEnvironment,
  listAgents,
  createAgent,
  getAgent,
  updateAgent,
  pauseAgent,
  renewPassport,
  resumeAgent,
  suspendAgent,
  revokeAgent,
  rotateAgentCredentials,
  getAgentHealth,
  getAgentAuthority,
  getAgentPassport,
  grantCapability,
  revokeCapability,
  listTools,
  createTool,
  getTool,
  authorizeAgentForTool,
  withdrawAgentFromTool,
  disableTool,
  enableTool,
  listPolicies,
  createPolicy,
  getBuilderSchema,
  listInvariants,
  createInvariant,
  checkInvariant,
  deleteInvariant,
  getPolicySchema,
  listPolicyTemplates,
  getPolicy,
  listPolicyVersions,
  updatePolicy,
  activatePolicy,
  deletePolicy,
  rollbackPolicy,
  suspendPolicy,
  bindPolicy,
  unbindPolicy,
  diffPolicy,
  simulatePolicy,
  runPolicyTests,
  previewPolicyTests,
  searchActions,
  getAction,
  evaluateAction,
  listDelegations,
  createDelegation,
  simulateDelegation,
  getDelegationGraph,
  reduceDelegation,
  revokeDelegation,
  listApprovals,
  getApproval,
  approveApproval,
  denyApproval,
  searchAuditEvents,
  getAuditEvent,
};
