import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';

const KIB_BUDGET = 32_768;

let planes: Planes;
let governed: Governed;
before(async () => {
  planes = await startPlanes({ env: { SVC_RATE_ORGANIZATION_KIB_PER_MINUTE: String(KIB_BUDGET) } });
  governed = await newGoverned(planes);
});
after(() => planes?.stop());

type Announced = { readonly token: string; readonly path: string; readonly says: string; readonly body?: string };

/** Announces any length of a body and sends only the given part; returns the status. */
const announce = async (base: string, { token, path, says, body = '' }: Announced): Promise<number> => {
  const { hostname, port } = new URL(base);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n${says}\r\nconnection: close\r\n\r\n${body}`,
  );
  const [answer] = await once(socket, 'data');
  socket.destroy();
  return Number(String(answer).split(' ')[1]);
};

const ofAgents = { path: '/gateway/v1/actions' } as const;
const LARGE = { parameters: { text: 'x'.repeat(8_000) } };

test('an invalid content length is refused, and uses nothing of the budget of an organization', async () => {
  for (const length of ['300000000', '9007199254740993', '18446744073709551615']) {
    const status = await announce(planes.gatewayUrl, { ...ofAgents, token: governed.token, says: `content-length: ${length}` });
    assert.ok([400, 413].includes(status), `${length}: ${status}`);
  }
  const answer = await governed.act(LARGE);
  assert.equal(answer.status, 200, answer.text);
});

test('a caller without permission uses nothing of it', async () => {
  const { token, workspace_id } = governed.tenant;
  const body = { name: 'looks', role_id: getBuiltInRole('viewer').id, workspace_id };
  const key = (await newControlClient(planes.controlUrl, token).createApiKey({ body })).token;
  for (let each = 0; each < 4; each += 1) {
    const says = 'content-length: 16777216';
    assert.equal(await announce(planes.controlUrl, { path: '/v1/tool-imports/files', token: key, says }), 403);
  }
  const answer = await governed.owner('PATCH', `/v1/tools/${governed.tool.id}`, {
    parameters_schema: { type: 'object', description: 'd'.repeat(8_000) },
    reason: 'Longer.',
    accept_warnings: true,
  });
  assert.equal(answer.status, 200, answer.text);
});

test('an agent at its maximum rate leaves the others of its organization their share', async () => {
  const { tenant } = governed;
  const other = await newAgent(tenant, { capabilities: ['pay'] });
  await newControlClient(planes.controlUrl, tenant.token).authorizeAgentForTool({
    params: { toolId: governed.tool.id },
    body: { agent_id: other.id },
  });
  const token = await mintToken(planes.gatewayUrl, other);
  const says = 'transfer-encoding: chunked';
  let answered = 0;
  while ((await announce(planes.gatewayUrl, { ...ofAgents, token, says, body: '2\r\n{}\r\n0\r\n\r\n' })) === 400) answered += 1;
  assert.equal(answered, KIB_BUDGET / 2 / 256);
  const itself = await call(planes.gatewayUrl, 'POST', ofAgents.path, { token, body: { tool: 'pay', ...LARGE } });
  assert.equal(itself.status, 429);
  assert.match(itself.json.error.message, /^You have sent/);
  const answer = await governed.act(LARGE);
  assert.equal(answer.status, 200, answer.text);
});

test('small changes that store large versions are limited like large ones, except emergency stops', async () => {
  const other = await newGoverned(planes);
  const rename = (each: number) => other.owner('PATCH', `/v1/policies/${other.policyId}`, { description: `Number ${each}.` });
  let saved = 0;
  let answer = await rename(saved);
  for (; answer.status === 200 && saved < 80; answer = await rename(saved)) saved += 1;
  assert.equal(answer.json.error.code, 'RATE_LIMITED', answer.text);
  assert.ok(answer.json.error.details.retry_after_seconds >= 1);
  assert.equal(saved, KIB_BUDGET / 2 / 256);
  assert.equal((await other.owner('POST', `/v1/agents/${other.agent.id}/pause`, {})).status, 200);
  assert.equal((await other.owner('GET', `/v1/policies/${other.policyId}`)).status, 200);
});
