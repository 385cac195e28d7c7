import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { signUp, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { approve, startTerminal } from '@svc/testing/people/terminal.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertBreakGlass } from '@svc/testing/records/insert-break-glass.ts';
import { insertCheckpoints } from '@svc/testing/records/insert-checkpoints.ts';
import { insertContext } from '@svc/testing/records/insert-context.ts';
import { insertOwnResources } from '@svc/testing/records/insert-device-approval.ts';
import { insertMcpTool } from '@svc/testing/records/insert-mcp-tool.ts';
import { insertRiskEvent } from '@svc/testing/records/insert-risk-event.ts';
import { insertRuntimeWorkflow } from '@svc/testing/records/insert-runtime-workflow.ts';
import { insertSso } from '@svc/testing/records/insert-sso.ts';
import { insertTrust } from '@svc/testing/records/insert-trust.ts';
import { type AttackPlace, newMember } from '../attacks/place.ts';
import { newOneOfEach } from '../rows/one-of-each.ts';

/** An organization with one of everything that a path, a body or a query can name, and a credential of each kind. */
export type CanaryOrganization = AttackPlace & {
  readonly key: string;
  /** Token of its directory. */
  readonly scim: string;
  /** Names, reasons and descriptions all contain this word. */
  readonly word: string;
  /** A used idempotency key, and cursors with a next page. */
  readonly idempotencyKey: string;
  readonly cursors: Readonly<Record<string, string>>;
  /** Id of a request of its agent. */
  readonly requestId: string;
  readonly toolName: string;
  /** User code of a terminal that its owner authorized. */
  readonly userCode: string;
  /** A verification run of its runtime. */
  readonly runId: string;
};

const ADMIN = 'rol_00000000000000000000000002';
const VIEWER = 'rol_00000000000000000000000007';

/** Lists with a cursor; their first page must have a next one. */
const PAGED = [
  '/v1/actions',
  '/v1/audit-events',
  '/v1/audit-events/checkpoints',
  '/v1/fx-rates/history',
  '/v1/delegations/graph',
  '/v1/webhooks/{subscriptionId}/deliveries',
  '/v1/notifications',
  '/v1/incidents/{incidentId}/timeline',
  '/v1/runtimes/{runtimeId}/runs',
  '/v1/runtime-findings',
];

type Post = (path: string, body: object, headers?: Record<string, string>) => ReturnType<typeof mustCall>;

/** On a busy machine a proof may not complete in time. */
const stateInvariant = async (post: Post, body: object, triesLeft = 3): ReturnType<Post> =>
  post('/v1/policies/invariants', body).catch((error: Error) => {
    if (triesLeft > 1 && error.message.includes('UNDECIDED')) return stateInvariant(post, body, triesLeft - 1);
    throw error;
  });

const newRules = async (post: Post, word: string, environmentId: string) => {
  const rules = [{ id: `${word}-held`, effect: 'REQUIRE_APPROVAL', reason: `${word} reason` }];
  const tests = [{ name: `${word} case`, given: {}, then: { effect: 'REQUIRE_APPROVAL' } }];
  const binding = { scope: 'ENVIRONMENT', id: environmentId };
  const policy = await post('/v1/policies', { name: `${word} policy`, description: word, rules, tests, binding });
  const versionId: string = policy.versions[0].version_id;
  await post(`/v1/policies/${policy.id}/activate`, { version_id: versionId, reason: word });
  const invariant = await stateInvariant(post, { name: `${word} invariant`, at_least: 'REQUIRE_APPROVAL', scope: binding });
  return { policyId: policy.id, bindingId: policy.bindings[0].id, versionId, invariantId: invariant.id };
};

/** Creates the tenant that everything else belongs to. */
const newHome = async (
  controlUrl: string,
  word: string,
  idempotencyKey: string,
): Promise<{ readonly tenant: Tenant; readonly post: Post }> => {
  const owner = await signUp(controlUrl, { name: `${word} person`, organizationName: `${word} organization` });
  await stepUp(controlUrl, owner);
  const { token } = owner;
  const post: Post = (path, body, headers) => mustCall(controlUrl, 'POST', path, { token, body, ...(headers ? { headers } : {}) });
  const keyed = { 'idempotency-key': idempotencyKey };
  const workspace_id: string = (await post('/v1/workspaces', { name: `${word} workspace` }, keyed)).id;
  const placed = { workspace_id, name: `${word} environment`, type: 'STAGING' };
  const environment_id: string = (await post('/v1/environments', placed, keyed)).id;
  return { tenant: { ...owner, controlUrl, organization_id: owner.organization.id, workspace_id, environment_id }, post };
};

/** Creates an agent that waits for an approval. */
const newActing = async (gatewayUrl: string, { tenant, post }: Awaited<ReturnType<typeof newHome>>, word: string) => {
  const { environment_id } = tenant;
  const agent = await newAgent(tenant, { name: `${word} agent`, capabilities: ['x'], labels: { word } });
  const declared = { environment_id, required_capability: 'x', kind: 'SDK', description: word };
  const tool = await post('/v1/tools', { ...declared, name: `${word.toLowerCase()}.tool` });
  await post(`/v1/tools/${tool.id}/agents`, { agent_id: agent.id });
  const made = await newRules(post, word, environment_id);
  const agentToken = await mintToken(gatewayUrl, agent);
  const act = (parameters: object) =>
    call(gatewayUrl, 'POST', '/gateway/v1/actions', { token: agentToken, body: { tool: tool.id, parameters } });
  const held = await act({ word });
  await act({ word: `${word} again` });
  const { details } = held.json.error;
  const resources = { ...made, agentId: agent.id, toolId: tool.id, actionId: details.decision.action_id, approvalId: details.approval_id };
  return { agent, agentToken, toolName: tool.name, requestId: held.headers.get('x-request-id') ?? '', resources };
};

/** Creates a role, a member, an invitation, and the owner's own resources: a terminal, a factor, a pending sign-in. */
const newPeople = async (planes: Planes, { tenant, post }: Awaited<ReturnType<typeof newHome>>, word: string) => {
  const role = await post('/v1/roles', { name: `${word} role`, description: word, permissions: ['agent:read'] });
  const invitation = await post('/v1/members/invitations', { email: `${word.toLowerCase()}@example.com`, role_id: role.id });
  const terminal = await startTerminal(planes.controlUrl);
  await approve(planes.controlUrl, tenant.token, terminal);
  const resources = {
    ...{ roleId: role.id, invitationId: invitation.id, requestId: terminal.request_id },
    ...(await newMember(planes, tenant.organization_id, [tenant.workspace_id])),
    ...(await insertOwnResources(planes, tenant)),
  };
  return { userCode: terminal.user_code, resources };
};

const readCursors = async (
  { controlUrl, token }: Tenant,
  each: Readonly<Record<'subscriptionId' | 'incidentId' | 'runtimeId', string>>,
): Promise<Record<string, string>> => {
  const cursors: Record<string, string> = {};
  for (const row of PAGED) {
    const path = row.replace(/\{(\w+)\}/, (_, name: keyof typeof each) => each[name]);
    const { page } = await mustCall(controlUrl, 'GET', `${path}?limit=1`, { token });
    if (!page.has_more) throw new Error(`${path} has no second page`);
    cursors[row] = page.next_cursor;
  }
  return cursors;
};

/** Creates the same organization for any word. */
export const newOrganization = async (planes: Planes, word: string): Promise<CanaryOrganization> => {
  const { controlUrl, gatewayUrl } = planes;
  const idempotencyKey = `${word}-key`;
  const home = await newHome(controlUrl, word, idempotencyKey);
  const { tenant, post } = home;
  const { agent, resources: acting, ...more } = await newActing(gatewayUrl, home, word);
  const viewer = await post('/v1/api-keys', { name: `${word} viewer`, role_id: VIEWER, workspace_id: tenant.workspace_id });
  const { token: key } = await post('/v1/api-keys', { name: `${word} admin`, role_id: ADMIN });
  const { token: scim } = await post('/v1/sso/scim-token', {});
  const delegation = await post('/v1/delegations', { delegate_agent_id: agent.id });
  await post('/v1/delegations', { delegate_agent_id: agent.id });
  const rates = { base_currency: 'GBP', quote_currency: 'USD' };
  const rate = await post('/v1/fx-rates', { ...rates, rate: '1.3' });
  await post('/v1/fx-rates', { ...rates, rate: '1.4' });
  const each = await newOneOfEach(tenant, word);
  await post(`/v1/webhooks/${each.subscriptionId}/test`, {});
  await post(`/v1/runtimes/${each.runtimeId}/verify`, {});
  const runs = await mustCall(controlUrl, 'GET', `/v1/runtimes/${each.runtimeId}/runs`, { token: tenant.token });
  const people = await newPeople(planes, home, word);
  await insertCheckpoints(planes.database, tenant.organization_id, word);
  const events = await mustCall(controlUrl, 'GET', `/v1/audit-events?subject_id=${agent.id}`, { token: tenant.token });
  const resources = {
    ...{ workspaceId: tenant.workspace_id, environmentId: tenant.environment_id, ...acting, apiKeyId: viewer.api_key.id },
    ...people.resources,
    ...each,
    ...(await insertMcpTool(planes.database, each.serverId, word)),
    ...(await insertRiskEvent(planes.database, agent.id, word)),
    ...(await insertBreakGlass(planes.database, tenant.organization_id, word)),
    ...(await insertContext(planes.database, agent.id, word)),
    ...(await insertTrust(planes.database, agent.id, word)),
    ...(await insertRuntimeWorkflow(planes.database, each.runtimeId, word)),
    ...(await insertSso(planes.database, tenant.organization_id, tenant.user.id)),
    ...{ delegationId: delegation.id, rateId: rate.id, eventId: events.data[0].id },
  };
  const cursors = await readCursors(tenant, each);
  return { tenant, agent, ...more, resources, key, scim, word, idempotencyKey, userCode: people.userCode, runId: runs.data[0].id, cursors };
};
