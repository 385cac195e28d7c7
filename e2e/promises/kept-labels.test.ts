import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mintToken, newKeyPair } from '@svc/testing/agents/agent.ts';
import { call } from '@svc/testing/people/client.ts';
import { type RestartableGateway, startRestartableGateway } from '@svc/testing/planes/restartable-gateway.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { type FlowScene, getCode, newFlowScene, reason } from './flow-scene.fixture.ts';

let planes: Planes;
let killed: RestartableGateway;
before(async () => {
  planes = await startPlanes({ gateways: 1 });
  killed = await startRestartableGateway(planes.database);
});
after(async () => {
  await killed.stop();
  await planes.stop();
});

const EVE = { to: 'eve@evil.test' };

const ask = (url: string, token: string, tool: string, parameters: object = {}) =>
  call(url, 'POST', '/gateway/v1/actions', { token, body: { tool, parameters } });
const newScene = (): Promise<FlowScene> => newFlowScene(planes);

test('labels survive a fresh token, the end of the session and a rotated key, on either gateway', async () => {
  const { agent, token, owner } = await newScene();
  assert.equal(await getCode(ask(planes.gatewayUrl, token, 'mail.send', EVE)), 'ALLOWED');
  assert.equal(await getCode(ask(planes.gatewayUrl, token, 'vault.read')), 'ALLOWED');
  const fresh = await mintToken(killed.url, agent);
  assert.equal(await getCode(ask(killed.url, fresh, 'mail.send', EVE)), 'ACTION_BLOCKED');
  assert.equal((await call(planes.gatewayUrl, 'POST', '/gateway/v1/logout', { token, body: {} })).status, 200);
  const later = await mintToken(planes.gatewayUrl, agent);
  assert.equal(await getCode(ask(planes.gatewayUrl, later, 'mail.send', EVE)), 'ACTION_BLOCKED');
  const pair = newKeyPair();
  const rotated = await owner('POST', `/v1/agents/${agent.id}/rotate-credentials`, { public_key: pair.publicKey });
  assert.equal(rotated.status, 200, rotated.text);
  const renewed = { ...agent, privateKey: pair.privateKey };
  for (const url of [planes.gatewayUrl, killed.url])
    assert.equal(await getCode(ask(url, await mintToken(url, renewed, 2), 'mail.send', EVE)), 'ACTION_BLOCKED');
});

test('labels of a read survive kill -9 of the gateway before its outcome is reported', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { agent, token } = await newScene();
    const own = await mintToken(killed.url, agent);
    const read = await ask(killed.url, own, 'vault.read');
    assert.equal(read.status, 200, read.text);
    await killed.kill();
    assert.equal(await getCode(ask(planes.gatewayUrl, token, 'mail.send', EVE)), 'ACTION_BLOCKED');
    await killed.start();
    assert.equal(await getCode(ask(killed.url, await mintToken(killed.url, agent), 'mail.send', EVE)), 'ACTION_BLOCKED');
  }
});

test('a read during which the gateway is killed leaves no record, or a record with its labels', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { agent, token, owner } = await newScene();
    const own = await mintToken(killed.url, agent);
    const reading = ask(killed.url, own, 'vault.read').catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, round * 4));
    await killed.kill();
    await reading;
    await killed.start();
    const { data } = (await owner('GET', `/v1/actions?agent_id=${agent.id}`)).json;
    const isRecorded = data.some(({ tool }: { tool: string }) => tool === 'vault.read');
    assert.equal(await getCode(ask(planes.gatewayUrl, token, 'mail.send', EVE)), isRecorded ? 'ACTION_BLOCKED' : 'ALLOWED');
  }
});

test('a person clears nothing that was read after what they saw', async () => {
  const { agent, token, owner } = await newScene();
  await ask(planes.gatewayUrl, token, 'crm.read', { customer: 'ann@example.com' });
  const [context] = (await owner('GET', `/v1/agents/${agent.id}/contexts`)).json;
  await owner('POST', `/v1/agents/${agent.id}/contexts/${context.id}/declassify`, { labels: ['personal_data'], reason });
  assert.equal(await getCode(ask(killed.url, await mintToken(killed.url, agent), 'mail.send', EVE)), 'ALLOWED');
  await ask(planes.gatewayUrl, token, 'crm.read', { customer: 'bob@example.com' });
  assert.equal(await getCode(ask(killed.url, await mintToken(killed.url, agent), 'mail.send', EVE)), 'APPROVAL_REQUIRED');
});
