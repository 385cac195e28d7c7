import assert from 'node:assert/strict';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { newCredential } from '@svc/testing/agents/new-credential.ts';
import type { RecordScene } from '@svc/testing/agents/record-scene.ts';
import { newWebhook } from '@svc/testing/events/new-webhook.ts';
import { formatInDays, newEvidenceKey } from '@svc/testing/evidence/signed-evidence.ts';
import { startA2aAgent } from '@svc/testing/peers/a2a-agent.ts';
import { echoTool, startMcpServer } from '@svc/testing/peers/mcp-server.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { acceptInvitation, invite } from '@svc/testing/people/invite.ts';

/** Creates records of every kind that the log covers, through the API only, so that each has an event that states it. */
export const newOneOfEachRecord = async (scene: RecordScene): Promise<void> => {
  const { governed, owner } = scene;
  const { tenant, agent } = governed;
  const { controlUrl, token, environment_id } = tenant;
  const post = (path: string, body: object) => mustCall(controlUrl, 'POST', path, { token, body });
  await decideApprovals(scene);
  await connectPeers(scene);
  await addEvidence(scene);
  const workspace = await post('/v1/workspaces', { name: 'Second workspace' });
  const environment = await post('/v1/environments', { workspace_id: workspace.id, name: 'Second', type: 'STAGING' });
  const role = await post('/v1/roles', { name: 'Reviewer', permissions: ['agent:read', 'approval:read', 'approval:approve'] });
  const other = await post('/v1/roles', { name: 'Looker', permissions: ['agent:read'] });
  const email = 'reviewer@example.com';
  const { code } = await invite(owner, tenant, { email, role_id: role.id });
  const accepted = await acceptInvitation(controlUrl, code, { name: 'Reviewer', password: 'a long password of a reviewer' });
  assert.ok(accepted.status < 300, accepted.text);
  const { code: second } = await invite(owner, tenant, { email: 'looker@example.com', role_id: other.id, workspace_ids: [workspace.id] });
  const limited = { name: 'Looker', password: 'a long password of a looker' };
  assert.ok((await acceptInvitation(controlUrl, second, limited)).status < 300);
  const { rows } = await owner.query("select id from users where email = 'reviewer@example.com'");
  const { approvalId } = await scene.hold();
  await post(`/v1/approvals/${approvalId}/delegate`, { user_id: rows[0].id, comment: 'Please look.' });
  for (const name of ['One', 'Two']) {
    await post('/v1/api-keys', { name, role_id: other.id });
    await post('/v1/policies/invariants', { name, at_least: 'REQUIRE_APPROVAL', scope: { scope: 'ENVIRONMENT', id: environment.id } });
    await post('/v1/sso/connections', {
      name,
      issuer: `http://127.0.0.1:9/${name}`,
      client_id: name,
      domains: [`${name.toLowerCase()}.example`],
    });
    await newCredential({ controlUrl, token, environment_id });
    await newWebhook({ controlUrl, token });
  }
  const held = await newAgent({ ...tenant, workspace_id: workspace.id, environment_id: environment.id }, { capabilities: ['x', 'y'] });
  for (const id of [held.id, agent.id]) await post('/v1/delegations', { delegate_agent_id: id });
};

/** Adds providers of evidence, and evidence about the agent from each. */
const addEvidence = async ({ governed }: RecordScene): Promise<void> => {
  const { tenant, agent } = governed;
  const post = (path: string, body: object) => mustCall(tenant.controlUrl, 'POST', path, { token: tenant.token, body });
  for (const name of ['First reviewer', 'Second reviewer']) {
    const key = newEvidenceKey();
    const provider = { name, kind: 'KEYS', keys: [key.jwk], evidence_kinds: ['security_review'], max_level: 3 };
    const { id: provider_id } = await post('/v1/trust/providers', provider);
    const document = key.token({
      sub: agent.id,
      jti: name,
      evidence_kind: 'security_review',
      exp: Math.floor(Date.now() / 1_000) + 86_400,
    });
    const evidence = { agent_id: agent.id, provider_id, kind: 'security_review', format: 'JWS', document, expires_at: formatInDays(30) };
    await post('/v1/trust/evidence', evidence);
  }
};

/** Creates MCP servers with authorized tools, verified connections to remote agents, and runtimes. */
const connectPeers = async ({ governed }: RecordScene): Promise<void> => {
  const { controlUrl, token, workspace_id, environment_id } = governed.tenant;
  const post = (path: string, body: object) => mustCall(controlUrl, 'POST', path, { token, body });
  const peer = await startMcpServer('MODERN', [echoTool('one'), echoTool('two')]);
  const remote = await startA2aAgent();
  for (const order of ['First', 'Second']) {
    const server = await post('/v1/mcp/servers', { name: `${order} server`, environment_id, transport: { type: 'HTTP', url: peer.url } });
    const { tools } = await post(`/v1/mcp/servers/${server.id}/discover`, {});
    for (const { id, pin } of tools) await post(`/v1/mcp/servers/${server.id}/tools/${id}/authorize`, { pin });
    const card = { card_url: remote.cardUrl, keys: [remote.key.jwk] };
    const connection = await post('/v1/a2a/connections', { name: `${order} remote`, environment_id, ...card });
    await post(`/v1/a2a/connections/${connection.id}/verify`, {});
    await post('/v1/runtimes', { name: `${order} runtime`, kind: 'MCP_CLIENT', workspace_id, environment_id });
  }
  await Promise.all([peer.close(), remote.close()]);
};

const decideApprovals = async ({ governed, hold, newRefund }: RecordScene): Promise<void> => {
  const { tenant, agent } = governed;
  const post = (path: string, body: object) => mustCall(tenant.controlUrl, 'POST', path, { token: tenant.token, body });
  const properties = { amount: { type: 'integer' }, to: { type: 'array', items: { type: 'string' } } };
  const tool = await post('/v1/tools', {
    ...{ name: 'narrowed', environment_id: tenant.environment_id, required_capability: 'pay', kind: 'SDK', amount_from: '/amount' },
    ...{ narrowable: ['/to'], parameters_schema: { type: 'object', properties, additionalProperties: false } },
  });
  await post(`/v1/tools/${tool.id}/agents`, { agent_id: agent.id });
  const asked = await governed.act({ tool: 'narrowed', parameters: { amount: 500, to: ['a', 'b'] } });
  const { approval_id } = asked.json.error.details;
  await post(`/v1/approvals/${approval_id}/edit`, { parameters: { amount: 300, to: ['b'] } });
  const questioned = await hold();
  await post(`/v1/approvals/${questioned.approvalId}/questions`, { question: 'Which order is it?' });
  await newRefund();
};
