import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newDelegating } from '@svc/testing/agents/delegating.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

const RULES = [{ id: 'ask', effect: 'REQUIRE_APPROVAL', reason: 'r', approval: { approver_role: 'admin' } }];

let planes: Planes;
before(async () => {
  planes = await leasePlanes();
});
after(() => planes.stop());

test('a preview of resuming states that approvals end for suspended or isolated agents, and not for paused ones', async () => {
  const own = await newDelegating(planes, 4, { rules: RULES });
  const { agents, owner } = own;
  const approvals = await Promise.all(agents.map(async (_, n) => (await own.actAs(n, {})).json.error.details.approval_id));
  const stops = ['pause', 'suspend', 'isolate', 'decommission'];
  for (const [n, stop] of stops.entries()) {
    if (stop === 'decommission') await owner('POST', `/v1/agents/${agents[n]?.id}/pause`, { reason: 'test' });
    assert.equal((await owner('POST', `/v1/agents/${agents[n]?.id}/${stop}`, { reason: 'test' })).status, 200, stop);
  }
  const resuming = (...those: number[]) => ({ agent_ids: those.map((n) => agents[n]?.id), operation: 'resume' });
  const ends = async (...those: number[]) => (await owner('POST', '/v1/agents/bulk/preview', resuming(...those))).json.ends;
  assert.deepEqual(await Promise.all([ends(0), ends(0, 3), ends(1), ends(2), ends(0, 1)]), [
    [],
    [],
    ['approvals'],
    ['approvals'],
    ['approvals'],
  ]);
  assert.equal((await owner('POST', '/v1/agents/bulk', { ...resuming(0, 1, 2), reason: 'test' })).json.counts.changed, 3);
  const readStatus = async (id: string) => (await owner('GET', `/v1/approvals/${id}`)).json.status;
  assert.deepEqual(await Promise.all(approvals.slice(0, 3).map(readStatus)), ['PENDING', 'CANCELLED', 'CANCELLED']);
});
