import type { Handlers } from '@svc/http/calls/call.ts';
import { evaluateAction } from './actions/actions/evaluate-action.ts';
import { getAction } from './actions/actions/get-action.ts';
import { searchActions } from './actions/actions/search-actions.ts';
import { approveApproval } from './actions/approvals/approve-approval.ts';
import { denyApproval } from './actions/approvals/deny-approval.ts';
import { getApproval } from './actions/approvals/get-approval.ts';
import { listApprovals } from './actions/approvals/list-approvals.ts';
import { createAgent } from './agents/agents/create-agent.ts';
import { getAgent } from './agents/agents/get-agent.ts';
import { getAgentAuthority } from './agents/agents/get-agent-authority.ts';
import { getAgentHealth } from './agents/agents/get-agent-health.ts';
import { getAgentPassport } from './agents/agents/get-agent-passport.ts';
import { grantCapability } from './agents/agents/grant-capability.ts';
import { listAgents } from './agents/agents/list-agents.ts';
import { pauseAgent } from './agents/agents/pause-agent.ts';
import { renewPassport } from './agents/agents/renew-passport.ts';
import { resumeAgent } from './agents/agents/resume-agent.ts';
import { revokeAgent } from './agents/agents/revoke-agent.ts';
import { revokeCapability } from './agents/agents/revoke-capability.ts';
import { rotateAgentCredentials } from './agents/agents/rotate-agent-credentials.ts';
import { suspendAgent } from './agents/agents/suspend-agent.ts';
import { updateAgent } from './agents/agents/update-agent.ts';
import { createDelegation } from './agents/delegations/create-delegation.ts';
import { getDelegationGraph } from './agents/delegations/get-delegation-graph.ts';
import { listDelegations } from './agents/delegations/list-delegations.ts';
import { reduceDelegation } from './agents/delegations/reduce-delegation.ts';
import { revokeDelegation } from './agents/delegations/revoke-delegation.ts';
import { simulateDelegation } from './agents/delegations/simulate-delegation.ts';
import type { ControlDeps } from './deps.ts';
import { getAuditEvent } from './events/audit-events/get-audit-event.ts';
import { searchAuditEvents } from './events/audit-events/search-audit-events.ts';
import { createExchangeRate } from './money/fx-rates/create-exchange-rate.ts';
import { deleteExchangeRate } from './money/fx-rates/delete-exchange-rate.ts';
import { getExchangeRates } from './money/fx-rates/get-exchange-rates.ts';
import { listExchangeRateHistory } from './money/fx-rates/list-exchange-rate-history.ts';
import { refreshExchangeRates } from './money/fx-rates/refresh-exchange-rates.ts';
import { createApiKey } from './people/api-keys/create-api-key.ts';
import { listApiKeys } from './people/api-keys/list-api-keys.ts';
import { revokeApiKey } from './people/api-keys/revoke-api-key.ts';
import { getSession } from './people/auth/get-session.ts';
import { login } from './people/auth/login.ts';
import { logout } from './people/auth/logout.ts';
import { signup } from './people/auth/signup.ts';
import { stepUp } from './people/auth/step-up.ts';
import { listRoles } from './people/roles/list-roles.ts';
import { checkInvariant } from './policies/invariants/check-invariant.ts';
import { createInvariant } from './policies/invariants/create-invariant.ts';
import { deleteInvariant } from './policies/invariants/delete-invariant.ts';
import { listInvariants } from './policies/invariants/list-invariants.ts';
import { activatePolicy } from './policies/policies/activate-policy.ts';
import { bindPolicy } from './policies/policies/bind-policy.ts';
import { createPolicy } from './policies/policies/create-policy.ts';
import { deletePolicy } from './policies/policies/delete-policy.ts';
import { getPolicy } from './policies/policies/get-policy.ts';
import { listPolicies } from './policies/policies/list-policies.ts';
import { rollbackPolicy } from './policies/policies/rollback-policy.ts';
import { suspendPolicy } from './policies/policies/suspend-policy.ts';
import { unbindPolicy } from './policies/policies/unbind-policy.ts';
import { updatePolicy } from './policies/policies/update-policy.ts';
import { listPolicyTemplates } from './policies/templates/list-policy-templates.ts';
import { diffPolicy } from './policies/trials/diff-policy.ts';
import { previewPolicyTests } from './policies/trials/preview-policy-tests.ts';
import { runPolicyTests } from './policies/trials/run-policy-tests.ts';
import { simulatePolicy } from './policies/trials/simulate-policy.ts';
import { getBuilderSchema } from './policies/versions/get-builder-schema.ts';
import { getPolicySchema } from './policies/versions/get-policy-schema.ts';
import { listPolicyVersions } from './policies/versions/list-policy-versions.ts';
import { controlLive } from './service/health/control-live.ts';
import { controlReady } from './service/health/control-ready.ts';
import { getInfo } from './service/info/get-info.ts';
import { listErrorCodes } from './service/info/list-error-codes.ts';
import { listEventTypes } from './service/info/list-event-types.ts';
import { createEnvironment } from './tenancy/environments/create-environment.ts';
import { listEnvironments } from './tenancy/environments/list-environments.ts';
import { pauseEnvironment } from './tenancy/environments/pause-environment.ts';
import { resumeEnvironment } from './tenancy/environments/resume-environment.ts';
import { setGatewayMode } from './tenancy/environments/set-gateway-mode.ts';
import { updateEnvironment } from './tenancy/environments/update-environment.ts';
import { getOrganization } from './tenancy/organization/get-organization.ts';
import { updateOrganization } from './tenancy/organization/update-organization.ts';
import { createWorkspace } from './tenancy/workspaces/create-workspace.ts';
import { listWorkspaces } from './tenancy/workspaces/list-workspaces.ts';
import { authorizeAgentForTool } from './tools/tools/authorize-agent-for-tool.ts';
import { createTool } from './tools/tools/create-tool.ts';
import { disableTool } from './tools/tools/disable-tool.ts';
import { enableTool } from './tools/tools/enable-tool.ts';
import { getTool } from './tools/tools/get-tool.ts';
import { listTools } from './tools/tools/list-tools.ts';
import { withdrawAgentFromTool } from './tools/tools/withdraw-agent-from-tool.ts';

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
