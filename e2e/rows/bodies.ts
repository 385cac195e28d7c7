import type { OperationName } from '@svc/contract/endpoints.ts';
import { newKeyPair } from '@svc/testing/agents/agent.ts';
import { RULES, type Setting, TESTS } from './setting.ts';

let made = 0;

type Bodies = Partial<Record<OperationName, Record<string, unknown>>>;
const reason = 'because';

const tenancyBodies = ({ tenant: { workspace_id } }: Setting): Bodies => ({
  updateOrganization: { name: `Organization ${made}` },
  createExchangeRate: { base_currency: 'EUR', quote_currency: 'USD', rate: '1.1' },
  // Nobody deletes the organization in which the others are tried.
  deleteOrganization: { confirm_name: 'another name', reason },
  restoreOrganization: {},
  createWorkspace: { name: `Workspace ${made}` },
  updateWorkspace: { name: `Workspace ${made}` },
  archiveWorkspace: { reason },
  createEnvironment: { workspace_id, name: `Environment ${made}`, type: 'STAGING' },
  updateEnvironment: { requires_delegation: false },
  setGatewayMode: { mode: 'ENFORCE' },
  pauseEnvironment: { reason },
  resumeEnvironment: { reason },
  archiveEnvironment: { reason },
});

const signedBy = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' };
const assertion = { ...signedBy, response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' } };
const attestation = { ...signedBy, response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } };

const factorBodies: Bodies = {
  verifyMfa: { mfa_challenge: 'x', code: '000000' },
  prepareMfa: { mfa_challenge: 'x', method: 'DEVICE' },
  enrolTotp: {},
  confirmTotp: { code: '000000' },
  preparePasskey: {},
  enrolPasskey: { passkey: attestation },
  regenerateRecoveryCodes: {},
  startPasskeySignIn: {},
  verifyPasskeySignIn: { passkey: assertion },
  resetMemberMfa: {},
  approveDevice: { number: 41 },
  denyDevice: {},
};

const agentBodies = ({ tenant: { workspace_id, environment_id } }: Setting): Bodies => ({
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

const memberBodies = ({ resources }: Setting): Bodies => ({
  createRole: { name: `Role ${made}`, permissions: ['agent:read'] },
  updateRole: { description: `${made}` },
  updateMember: {},
  transferOwnership: {},
  inviteMember: { email: `invited-${made}-${resources.memberId.toLowerCase()}@example.com`, role_id: 'rol_00000000000000000000000007' },
  resendInvitation: {},
  readInvitation: { code: 'none' },
  acceptInvitation: { code: 'none' },
  joinOrganization: { code: 'none' },
});

const credentialBodies = ({ tenant }: Setting): Bodies => ({
  // Refused, and so nobody's password is another one afterwards.
  changePassword: { current_password: tenant.password, new_password: tenant.password },
  startPasswordReset: { email: `nobody-${made}@example.com` },
  resetPassword: { email: `nobody-${made}@example.com`, code: '000000', new_password: tenant.password },
  resetMemberPassword: {},
  revokeMemberSessions: {},
  updateProfile: { name: `Person ${made}` },
  rotateApiKey: { overlap_seconds: 60 },
});

const policyBodies = ({ agent }: Setting): Bodies => ({
  createPolicy: { name: `Policy ${made}`, rules: RULES, tests: TESTS },
  createInvariant: { name: `Invariant ${made}`, when: { field: 'amount', op: 'gt', value: 5 }, at_least: 'REQUIRE_APPROVAL' },
  checkInvariant: { at_least: 'REQUIRE_APPROVAL' },
  updatePolicy: { description: `${made}` },
  activatePolicy: { version_id: 'pvr_7ZZZZZZZZZZZZZZZZZZZZZZZZZ', reason },
  suspendPolicy: { reason },
  bindPolicy: { scope: 'AGENT', id: agent.id, reason },
  rollbackPolicy: { target_version_number: 1, reason },
  simulatePolicy: { agentId: agent.id },
  runPolicyTests: {},
  previewPolicyTests: { cases: TESTS },
});

/** A body that each row with one accepts; made anew each time, so that names do not collide. */
export const bodyOf = (operation: string, setting: Setting): Record<string, unknown> => {
  made += 1;
  const { tenant, agent, resources } = setting;
  const { environment_id } = tenant;
  const bodies: Bodies = {
    ...tenancyBodies(setting),
    startSignup: { name: 'Ada', email: `new-${made}@example.com`, password: 'correct horse battery staple' },
    verifySignup: { email: `new-${made}@example.com`, code: '000000' },
    saveOnboardingStep: { goals: [`goal ${made}`] },
    completeOnboarding: {},
    logout: {},
    switchOrganization: { organization_id: tenant.organization_id },
    ...credentialBodies(setting),
    stepUp: { password: tenant.password },
    startCliSignIn: { flow: 'DEVICE', code_challenge: 'a'.repeat(43), client: {} },
    redeemCliSignIn: { request_id: 'cli_7ZZZZZZZZZZZZZZZZZZZZZZZZZ', code_verifier: 'a'.repeat(43) },
    approveCliRequest: { user_code: 'BCDF-GHJK' },
    denyCliRequest: {},
    createApiKey: { name: `key ${made}`, role_id: 'rol_00000000000000000000000007' },
    ...memberBodies(setting),
    ...factorBodies,
    ...agentBodies(setting),
    createTool: { name: `tool-${made}`, environment_id, required_capability: 'x', kind: 'SDK' },
    authorizeAgentForTool: { agent_id: agent.id },
    disableTool: { reason },
    enableTool: { reason },
    ...policyBodies(setting),
    evaluateAction: { agent_id: agent.id, tool: resources.toolId ?? '' },
    createDelegation: { delegate_agent_id: agent.id, can_redelegate: true, max_depth: made % 10 },
    simulateDelegation: { delegate_agent_id: agent.id },
    reduceDelegation: { can_redelegate: false },
    revokeDelegation: { reason },
    delegate: { delegate_agent_id: agent.id },
    approveApproval: {},
    denyApproval: { reason },
    endAgentSession: {},
    act: { tool: 'x' },
    reportOutcome: { status: 'COMPLETED' },
    mintToken: { agent_id: agent.id, assertion: 'x', sdk: { name: 'n', version: '1', runtime: 'r' } },
    handshake: { agent_id: agent.id, assertion: 'x', sdk: { name: 'n', version: '1', runtime: 'r' } },
  };
  const body = bodies[operation as OperationName];
  if (!body) throw new Error(`no body for ${operation}: every row with a body needs one here`);
  return body;
};
