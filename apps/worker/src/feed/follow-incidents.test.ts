import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { startWorker } from '@svc/testing/events/start-worker.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

let planes: Planes;
let governed: Governed;
let worker: Awaited<ReturnType<typeof startWorker>>;
before(async () => {
  planes = await leasePlanes();
  governed = await newGoverned(planes);
  worker = await startWorker(planes.database);
});
after(async () => {
  await worker.stop();
  await planes.stop();
});

type Entry = { readonly kind: string; readonly count: number; readonly data: { readonly type?: string } };

test('a timeline has events of its subjects from before and after, and repeated decisions once with a count', async () => {
  const { owner, agent, tool, act } = governed;
  const open = async (subjects: readonly object[]): Promise<string> => {
    const { status, json, text } = await owner('POST', '/v1/incidents', { title: 'Followed', severity: 'LOW', subjects });
    assert.equal(status, 201, text);
    return json.id;
  };
  await owner('POST', `/v1/agents/${agent.id}/pause`, {});
  await owner('POST', `/v1/agents/${agent.id}/resume`, {});
  const incidents = [await open([{ type: 'agent', id: agent.id }]), await open([{ type: 'tool', id: tool.id }])];
  for (let count = 0; count < 3; count += 1) assert.equal((await act({})).status, 200);
  for (const [at, id] of incidents.entries()) {
    let entries: Entry[] = [];
    await waitUntil('the timeline counts three decisions', async () => {
      entries = (await owner('GET', `/v1/incidents/${id}/timeline?limit=200`)).json.data;
      return entries.some(({ data, count }) => data.type === 'action.allowed' && count === 3);
    });
    const types = entries.map(({ data }) => data.type);
    assert.equal(types.filter((type) => type === 'action.allowed').length, 1);
    if (at === 0) assert.ok(types.includes('agent.paused') && types.includes('agent.resumed'), types.join());
  }
});
