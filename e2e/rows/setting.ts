import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { BUILT_IN_ROLES, type BuiltInRoleName, KEY_ROLES } from '@svc/contract/tables/built-in-roles.ts';
import { isPathParameter } from '@svc/contract/tables/path-parameters.ts';
import { mintToken, newAgent, type TestAgent } from '@svc/testing/agents/agent.ts';
import { newPeerToken } from '@svc/testing/agents/new-peer-token.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant, signUp, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { approve, startTerminal } from '@svc/testing/people/terminal.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
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
import { newOneOfEach } from './one-of-each.ts';

export type NamedRow = readonly [name: string, row: Endpoint];
export const EVERY_ROW = Object.entries(ENDPOINTS) as unknown as readonly NamedRow[];
/** All rows except those of a directory, which have another credential and error format: `scim.test.ts` tests them. */
export const ROWS = EVERY_ROW.filter(([, row]) => row.credential !== 'directory');
export const CONTROL_ROWS = ROWS.filter(([, row]) => row.plane === 'control' && row.credential !== 'none');

export type KeyRoleName = Exclude<BuiltInRoleName, 'owner'>;

export type RowTestSetting = {
  readonly planes: Planes;
  readonly tenant: Tenant;
  /** An owner who has just stepped up. */
  readonly owner: string;
  /** Another organization's owner, stepped up. */
  readonly stranger: string;
  readonly agent: TestAgent;
  readonly agentToken: string;
  /** A token of a remote agent, for the endpoint of the agent. */
  readonly peerToken: string;
  readonly resources: Resources;
  /** One API key per role that a key may have. */
  readonly keys: Readonly<Record<KeyRoleName, string>>;
  /** A signed-in person per role. */
  readonly people: Readonly<Record<BuiltInRoleName, string>>;
};

export const RULES = [{ id: 'held', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }];
export const TESTS = [{ name: 'is held', given: { 'tool.name': 'x' }, then: { effect: 'REQUIRE_APPROVAL' } }];

const makeKeys = async (tenant: Tenant): Promise<RowTestSetting['keys']> => {
  const entries = KEY_ROLES.map(async (role) => {
    const body = { name: role.name, role_id: role.id };
    return [role.name, (await mustCall(tenant.controlUrl, 'POST', '/v1/api-keys', { token: tenant.token, body })).token];
  });
  return Object.fromEntries(await Promise.all(entries)) as RowTestSetting['keys'];
};

const makePeople = async (planes: Planes, { organization_id }: Tenant): Promise<Record<BuiltInRoleName, string>> => {
  const client = await planes.database.client();
  const entries = BUILT_IN_ROLES.map(async ({ name }) => [name, (await insertPerson(client, organization_id, name)).token]);
  const people = Object.fromEntries(await Promise.all(entries));
  await client.end();
  return people;
};

/** Creates a request that belongs to the tenant: before a decision it has no owner. */
const decidedRequest = async ({ controlUrl, token }: Tenant): Promise<string> => {
  const terminal = await startTerminal(controlUrl);
  await approve(controlUrl, token, terminal);
  return terminal.request_id;
};

/** Creates another member, and their session. */
const makeMember = async (planes: Planes, { organization_id }: Tenant): Promise<Pick<Resources, 'memberId' | 'sessionId'>> => {
  const client = await planes.database.client();
  const { id } = await insertPerson(client, organization_id, 'viewer');
  const { rows } = await client.query(
    'select m.id as "memberId", s.id as "sessionId" from members m join sessions s using (user_id) where user_id = $1',
    [id],
  );
  await client.end();
  return rows[0];
};

const makeResources = async (planes: Planes, tenant: Tenant, agent: TestAgent, agentToken: string): Promise<Resources> => {
  const { controlUrl, token, workspace_id, environment_id, organization_id } = tenant;
  const post = (path: string, body: object) => mustCall(controlUrl, 'POST', path, { token, body });
  const tool = await post('/v1/tools', { name: 'x', environment_id, required_capability: 'x', kind: 'SDK' });
  await post(`/v1/tools/${tool.id}/agents`, { agent_id: agent.id });
  const policy = await post('/v1/policies', { name: 'held', rules: RULES, tests: TESTS });
  await post(`/v1/policies/${policy.id}/activate`, { version_id: policy.versions[0].version_id, reason: 'setting' });
  const held = await call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', { token: agentToken, body: { tool: 'x' } });
  if (held.json?.error?.code !== 'APPROVAL_REQUIRED') throw new Error(`expected a held action, got ${held.text}`);
  const key = await post('/v1/api-keys', { name: 'one more', role_id: BUILT_IN_ROLES[6].id });
  const rate = await post('/v1/fx-rates', { base_currency: 'GBP', quote_currency: 'USD', rate: '1.3' });
  const delegation = await post('/v1/delegations', { delegate_agent_id: agent.id });
  const invariant = await post('/v1/policies/invariants', { name: 'a person looks', at_least: 'REQUIRE_APPROVAL' });
  const role = await post('/v1/roles', { name: 'one of our own', permissions: ['agent:read'] });
  const invitation = await post('/v1/members/invitations', {
    email: `invited-${organization_id.toLowerCase()}@example.com`,
    role_id: role.id,
  });
  const each = await newOneOfEach(tenant, 'Setting');
  const events = await mustCall(controlUrl, 'GET', '/v1/audit-events', { token });
  return {
    workspaceId: workspace_id,
    environmentId: environment_id,
    agentId: agent.id,
    toolId: tool.id,
    policyId: policy.id,
    invariantId: invariant.id,
    bindingId: policy.bindings[0].id,
    actionId: held.json.error.details.decision.action_id,
    approvalId: held.json.error.details.approval_id,
    invitationId: invitation.id,
    roleId: role.id,
    apiKeyId: key.api_key.id,
    ...(await insertSso(planes.database, tenant.organization_id, tenant.user.id)),
    ...(await makeMember(planes, tenant)),
    ...each,
    ...(await insertMcpTool(planes.database, each.serverId, 'Setting')),
    ...(await insertRiskEvent(planes.database, agent.id, 'Setting')),
    ...(await insertBreakGlass(planes.database, tenant.organization_id, 'Setting')),
    ...(await insertContext(planes.database, agent.id, 'Setting')),
    ...(await insertTrust(planes.database, agent.id, 'Setting')),
    ...(await insertRuntimeWorkflow(planes.database, each.runtimeId, 'Setting')),
    delegationId: delegation.id,
    eventId: events.data[0].id,
    rateId: rate.id,
    requestId: await decidedRequest(tenant),
    ...(await insertOwnResources(planes, tenant)),
  };
};

/** Creates two organizations, and in the first one resource of each kind. */
export const newSetting = async (): Promise<RowTestSetting> => {
  // Every method is tried on every path, most of which accept few.
  const planes = await startPlanes({ env: { SVC_RATE_ADDRESS_PER_MINUTE: '100000' } });
  const tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  const other = await signUp(planes.controlUrl);
  await stepUp(planes.controlUrl, other);
  const agent = await newAgent(tenant, { capabilities: ['x'] });
  const agentToken = await mintToken(planes.gatewayUrl, agent);
  const resources = await makeResources(planes, tenant, agent, agentToken);
  const peerToken = await newPeerToken(planes, tenant, agent);
  const [keys, people] = [await makeKeys(tenant), await makePeople(planes, tenant)];
  return { planes, tenant, owner: tenant.token, stranger: other.token, agent, agentToken, peerToken, resources, keys, people };
};

/** Returns the agent token that a row accepts: of a remote agent if the row is for one. */
export const getAgentTokenOpening = ({ sessionCheckedBy }: Endpoint, { agentToken, peerToken }: RowTestSetting): string =>
  sessionCheckedBy === 'connection' ? peerToken : agentToken;

/** Returns the row's path with each parameter filled in. */
export const buildPath = (row: Endpoint, resources: Resources): string =>
  row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = isPathParameter(name) ? resources[name] : undefined;
    if (value === undefined) throw new Error(`no resource for the path parameter ${name}`);
    return value;
  });

const otherwise = (id: string): string => (id.includes('_') ? `${id.split('_')[0]}_7ZZZZZZZZZZZZZZZZZZZZZZZZZ` : id);

/** Returns resources with ids that were never issued. */
export const createUnknownIds = (resources: Resources): Resources =>
  Object.fromEntries(Object.entries(resources).map(([name, id]) => [name, otherwise(id)])) as Resources;
