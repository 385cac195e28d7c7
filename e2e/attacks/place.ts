import { mintToken, newAgent, type TestAgent } from '@svc/testing/agents/agent.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import type { Tenant } from '@svc/testing/people/tenant.ts';
import { startTerminal } from '@svc/testing/people/terminal.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertBreakGlass } from '@svc/testing/records/insert-break-glass.ts';
import { insertContext } from '@svc/testing/records/insert-context.ts';
import { insertOwnResources } from '@svc/testing/records/insert-device-approval.ts';
import { insertMcpTool } from '@svc/testing/records/insert-mcp-tool.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { insertRiskEvent } from '@svc/testing/records/insert-risk-event.ts';
import { insertRuntimeWorkflow } from '@svc/testing/records/insert-runtime-workflow.ts';
import { insertSso } from '@svc/testing/records/insert-sso.ts';
import { insertTrust } from '@svc/testing/records/insert-trust.ts';
import type { Resources } from '../nouns/noun-tests.ts';
import { newOneOfEach } from '../rows/one-of-each.ts';

/** A part of an organization with one of each resource that a path or a body can name. */
export type AttackPlace = {
  readonly tenant: Tenant;
  readonly agent: TestAgent;
  readonly agentToken: string;
  readonly resources: Resources & { readonly versionId: string };
};

const TESTS = [{ name: 'is held', given: {}, then: { effect: 'REQUIRE_APPROVAL' } }];
const RULES = [{ id: 'held', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }];

let places = 0;

const insertMember = async (planes: Planes, organizationId: string, workspaces: readonly string[]) => {
  const client = await planes.database.client();
  const { id } = await insertPerson(client, organizationId, 'viewer', { workspaces });
  const { rows } = await client.query(
    'select m.id as member, s.id as session from members m join sessions s using (user_id) where user_id = $1',
    [id],
  );
  await client.end();
  return { user: { id }, memberId: rows[0].member as string, sessionId: rows[0].session as string };
};

/** Creates a member who sees only these workspaces, and their session. */
export const newMember = async (planes: Planes, organizationId: string, workspaces: readonly string[]) => {
  const { user: _, ...ids } = await insertMember(planes, organizationId, workspaces);
  return ids;
};

/** Creates a role, an invitation and a member limited to the workspace, with their own resources. */
const newPeople = async (planes: Planes, { token, organization_id, workspace_id }: Tenant) => {
  const post = (path: string, body: object) => mustCall(planes.controlUrl, 'POST', path, { token, body });
  const role = await post('/v1/roles', { name: `Role ${places}`, permissions: ['agent:read'] });
  const email = `invited-${workspace_id.toLowerCase()}@example.com`;
  const invitation = await post('/v1/members/invitations', { email, role_id: role.id, workspace_ids: [workspace_id] });
  const { user, ...member } = await insertMember(planes, organization_id, [workspace_id]);
  const own = await insertOwnResources(planes, { organization_id, user });
  return { ...member, ...own, invitationId: invitation.id as string, roleId: role.id as string };
};

/** Creates an exchange rate, and an event about an agent. */
const newRecords = async ({ controlUrl }: Planes, token: string, agentId: string) => {
  const post = (path: string, body: object) => mustCall(controlUrl, 'POST', path, { token, body });
  const rate = await post('/v1/fx-rates', { base_currency: 'GBP', quote_currency: 'USD', rate: `1.${places}` });
  const events = await mustCall(controlUrl, 'GET', `/v1/audit-events?subject_id=${agentId}`, { token });
  return { rateId: rate.id as string, eventId: events.data[0].id as string };
};

/** Fills a workspace and an environment of its own. The tenant's owner has stepped up. */
export const newPlace = async (planes: Planes, { token, ...rest }: Tenant): Promise<AttackPlace> => {
  places += 1;
  const post = (path: string, body: object) => mustCall(planes.controlUrl, 'POST', path, { token, body });
  const workspace = await post('/v1/workspaces', { name: `Place ${places}` });
  const environment = await post('/v1/environments', { workspace_id: workspace.id, name: `Environment ${places}`, type: 'STAGING' });
  const tenant = { ...rest, token, workspace_id: workspace.id, environment_id: environment.id };
  const agent = await newAgent(tenant, { capabilities: ['x'] });
  const tool = await post('/v1/tools', { name: 'x', environment_id: environment.id, required_capability: 'x', kind: 'SDK' });
  await post(`/v1/tools/${tool.id}/agents`, { agent_id: agent.id });
  const binding = { scope: 'ENVIRONMENT', id: environment.id };
  const policy = await post('/v1/policies', { name: `Policy ${places}`, rules: RULES, tests: TESTS, binding });
  const versionId = policy.versions[0].version_id;
  await post(`/v1/policies/${policy.id}/activate`, { version_id: versionId, reason: 'test' });
  const agentToken = await mintToken(planes.gatewayUrl, agent);
  const held = await call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', { token: agentToken, body: { tool: 'x' } });
  const {
    approval_id,
    decision: { action_id },
  } = held.json.error.details;
  const key = await post('/v1/api-keys', { name: 'viewer', role_id: 'rol_00000000000000000000000007', workspace_id: workspace.id });
  const delegation = await post('/v1/delegations', { delegate_agent_id: agent.id });
  const scope = { scope: 'ENVIRONMENT', id: environment.id };
  const invariant = await post('/v1/policies/invariants', { name: `Invariant ${places}`, at_least: 'REQUIRE_APPROVAL', scope });
  const each = await newOneOfEach({ ...tenant, controlUrl: planes.controlUrl }, `Place ${places}`, {
    workspace_id: workspace.id,
    environment_id: environment.id,
  });
  const resources = {
    workspaceId: workspace.id,
    environmentId: environment.id,
    agentId: agent.id,
    toolId: tool.id,
    policyId: policy.id,
    bindingId: policy.bindings[0].id,
    delegationId: delegation.id,
    invariantId: invariant.id,
    versionId,
    actionId: action_id,
    approvalId: approval_id,
    ...(await newPeople(planes, { ...tenant, token })),
    apiKeyId: key.api_key.id,
    ...(await insertSso(planes.database, tenant.organization_id, tenant.user.id)),
    ...each,
    ...(await insertMcpTool(planes.database, each.serverId, `Place ${places}`)),
    ...(await insertRiskEvent(planes.database, agent.id, `Place ${places}`)),
    ...(await insertBreakGlass(planes.database, tenant.organization_id, `Place ${places}`)),
    ...(await insertContext(planes.database, agent.id, `Place ${places}`)),
    ...(await insertTrust(planes.database, agent.id, `Place ${places}`)),
    ...(await insertRuntimeWorkflow(planes.database, each.runtimeId, `Place ${places}`)),
    ...(await newRecords(planes, token, agent.id)),
    requestId: (await startTerminal(planes.controlUrl)).request_id,
  };
  return { tenant, agent, agentToken, resources };
};
