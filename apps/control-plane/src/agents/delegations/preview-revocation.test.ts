import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Delegating, newDelegating } from '@svc/testing/agents/delegating.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let scene: Delegating;
before(async () => {
  planes = await leasePlanes();
  scene = await newDelegating(planes, 3);
});
after(() => planes.stop());

test('previewRevocation lists the delegations that end and the agents that lose them, and changes nothing', async () => {
  const [first, second] = scene.agents;
  const root = await scene.root(0, { can_redelegate: true, max_depth: 3, scope: { capabilities: ['pay'] } });
  const body = { delegate_agent_id: second?.id, parent_id: root };
  const below = await mustCall(planes.controlUrl, 'POST', '/v1/delegations', { token: scene.tenant.token, body });
  const preview = await scene.owner('POST', `/v1/delegations/${root}/revoke/preview`);
  assert.equal(preview.status, 200, preview.text);
  const { total, delegations, agents } = preview.json;
  assert.equal(total, 2);
  assert.deepEqual(
    delegations.map(({ id }: { id: string }) => id),
    [root, below.id],
  );
  const lost = agents.find(({ agent_id }: { agent_id: string }) => agent_id === first?.id);
  assert.deepEqual([lost.delegations_left, lost.pending_approvals, lost.grants_come_back], [0, 0, true]);
  assert.equal((await scene.owner('GET', `/v1/delegations/${root}`)).json.status, 'ACTIVE');
  assert.equal((await scene.owner('POST', `/v1/delegations/${root}/revoke`, { reason: 'test' })).status, 200);
  assert.equal((await scene.owner('POST', `/v1/delegations/${root}/revoke/preview`)).json.total, 0);
  assert.equal((await scene.owner('GET', `/v1/delegations/${below.id}`)).json.status, 'REVOKED');
});

test('getDelegation and previewRevocation find no delegation of another organization', async () => {
  const root = await scene.root(0, { scope: { capabilities: ['pay'] } });
  const stranger = await newTenant(planes);
  const read = await call(planes.controlUrl, 'GET', `/v1/delegations/${root}`, { token: stranger.token });
  const preview = await call(planes.controlUrl, 'POST', `/v1/delegations/${root}/revoke/preview`, { token: stranger.token });
  assert.deepEqual([read.json.error.code, preview.json.error.code], ['NOT_FOUND', 'NOT_FOUND']);
});
