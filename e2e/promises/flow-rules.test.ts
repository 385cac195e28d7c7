import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { getCode, newFlowScene, reason } from './flow-scene.fixture.ts';

let planes: Planes;
before(async () => {
  planes = await startPlanes({ gateways: 2 });
});
after(() => planes.stop());

const newScene = () => newFlowScene(planes);

test('a labelled read on one gateway affects the next send on the other, every time', async () => {
  for (let round = 0; round < countRepetitions({ short: 8, long: 1_000 }); round += 1) {
    const { ask } = await newScene();
    // Both gateways already have snapshots of the agent.
    assert.equal(await getCode(ask('mail.send', { to: 'eve@evil.test' }, 1)), 'ALLOWED');
    assert.equal(await getCode(ask('crm.read', { customer: 'ann@example.com' }, 0)), 'ALLOWED');
    assert.equal(await getCode(ask('mail.send', { to: 'eve@evil.test' }, 1)), 'APPROVAL_REQUIRED');
    assert.equal(await getCode(ask('mail.send', { to: ' Ann@Example.com' }, 1)), 'ALLOWED');
    assert.equal(await getCode(ask('mail.send', { to: 'ann@example.com, eve@evil.test' }, 0)), 'APPROVAL_REQUIRED');
  }
});

test('of concurrent read and sends, no send after the response of the read is allowed', async () => {
  for (let round = 0; round < countRepetitions({ short: 6, long: 1_000 }); round += 1) {
    const { ask } = await newScene();
    const [read] = await Promise.all([
      getCode(ask('vault.read', {}, 0)),
      ...Array.from({ length: 6 }, (_, index) => ask('mail.send', { to: 'eve@evil.test' }, index % 2)),
    ]);
    assert.equal(read, 'ALLOWED');
    const after = await Promise.all([0, 1, 0, 1].map((gateway) => getCode(ask('mail.send', { to: 'eve@evil.test' }, gateway))));
    assert.deepEqual(new Set(after), new Set(['ACTION_BLOCKED']));
  }
});

test('labels that an agent states do not count, and a dry run reads nothing', async () => {
  const { ask, owner, agent } = await newScene();
  await ask('crm.read', { customer: 'ann@example.com', labels: [], reach: 'INTERNAL', _meta: { ifc: 'trusted' } }, 0, { dry_run: true });
  assert.deepEqual((await owner('GET', `/v1/agents/${agent.id}/contexts`)).json, []);
  await ask('crm.read', { customer: 'ann@example.com', labels: [], information_flow: 'trusted' });
  const send = { to: 'eve@evil.test', reach: 'INTERNAL', labels: [], readers: ['eve@evil.test'] };
  assert.equal(await getCode(ask('mail.send', send)), 'APPROVAL_REQUIRED');
});

test('an approval is void once the agent received other labels, and is not used up', async () => {
  const { ask, owner, tenant, agent } = await newScene();
  const notes = await owner('POST', '/v1/tools', {
    ...{ name: 'notes.read', environment_id: tenant.environment_id, required_capability: 'pay', kind: 'SDK' },
  });
  await owner('POST', `/v1/tools/${notes.json.id}/agents`, { agent_id: agent.id });
  assert.equal((await owner('PUT', `/v1/tools/${notes.json.id}/flow`, { labels: ['internal'], reason })).status, 200);
  await ask('crm.read', { customer: 'ann@example.com' });
  const held = await ask('mail.send', { to: 'eve@evil.test' });
  const { approval_id } = held.json.error.details;
  const approved = await owner('POST', `/v1/approvals/${approval_id}/approve`, {});
  assert.equal(approved.status, 200, approved.text);
  assert.equal(await getCode(ask('notes.read', {})), 'ALLOWED');
  const used = await ask('mail.send', { to: 'eve@evil.test' }, 1, { approval_id });
  assert.deepEqual([used.json.error?.code, used.json.error?.details.labels_added], ['APPROVAL_NOT_GRANTED', ['internal']], used.text);
  assert.equal((await owner('GET', `/v1/approvals/${approval_id}`)).json.status, 'APPROVED');
});

test('a person clears labels, a key does not, secret stays, and a new source restores a label', async () => {
  const { ask, owner, agent } = await newScene();
  await ask('crm.read', { customer: 'ann@example.com' });
  await ask('vault.read', {});
  const [context] = (await owner('GET', `/v1/agents/${agent.id}/contexts`)).json;
  assert.deepEqual(context.labels, ['personal_data', 'secret']);
  const path = `/v1/agents/${agent.id}/contexts/${context.id}/declassify`;
  assert.equal((await owner('POST', path, { labels: ['secret'], reason })).json.error?.code, 'UNPROCESSABLE');
  const cleared = await owner('POST', path, { labels: ['personal_data'], reason });
  assert.deepEqual(cleared.json.labels, ['secret'], cleared.text);
  await ask('crm.read', { customer: 'bob@example.com' }, 1);
  assert.deepEqual((await owner('GET', `/v1/agents/${agent.id}/contexts`)).json[0].labels, ['personal_data', 'secret']);
});
