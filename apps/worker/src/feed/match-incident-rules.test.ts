import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import { startWorker } from '@svc/testing/events/start-worker.ts';
import { stepUp } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

let planes: Planes;
let worker: Awaited<ReturnType<typeof startWorker>>;
before(async () => {
  planes = await leasePlanes();
  worker = await startWorker(planes.database);
});
after(async () => {
  await worker.stop();
  await planes.stop();
});

const BLOCK_ALL = [{ id: 'never', effect: 'BLOCK', reason: 'Never.' }];
const reason = 'test';

type Incident = {
  readonly id: string;
  readonly matches: number;
  readonly status: string;
  readonly rule_id: string;
  readonly title: string;
};
type Entry = { readonly kind: string; readonly count: number; readonly data: { readonly change?: string } };

const newScene = async () => {
  const governed = await newGoverned(planes, { rules: BLOCK_ALL });
  const { owner, tenant, agent } = governed;
  await stepUp(planes.controlUrl, tenant);
  const create = async (body: object) => {
    const answer = await owner('POST', '/v1/incident-rules', { environment_id: tenant.environment_id, severity: 'HIGH', reason, ...body });
    assert.equal(answer.status, 201, answer.text);
    return answer.json;
  };
  const incidents = async (): Promise<Incident[]> => (await owner('GET', `/v1/incidents?agent_id=${agent.id}`)).json;
  const refuse = async (times: number): Promise<void> => {
    for (let count = 0; count < times; count += 1) assert.equal((await governed.act({})).status, 403);
  };
  const matched = async (matches: number): Promise<Incident> => {
    let found: Incident[] = [];
    await waitUntil(`the incident counts ${matches}`, async () => {
      found = await incidents();
      return found[0]?.matches === matches;
    });
    assert.equal(found.length, 1);
    return found[0] as Incident;
  };
  return { ...governed, create, incidents, refuse, matched };
};

test('refusals within a time window open one incident, and further ones are counted in it', async () => {
  const { create, refuse, matched, owner, incidents } = await newScene();
  const rule = await create({ name: 'Many refusals', condition: 'REFUSALS', count: 3, within_seconds: 600 });
  await refuse(2);
  await refuse(1);
  const incident = await matched(1);
  assert.deepEqual([incident.rule_id, incident.title, incident.status], [rule.id, 'Many refusals', 'OPEN']);
  await refuse(12);
  await matched(13);
  const timeline: Entry[] = (await owner('GET', `/v1/incidents/${incident.id}/timeline?kind=RULE`)).json.data;
  assert.deepEqual(
    timeline.map(({ count, data }) => [data.change, count]),
    [
      ['opened', 13],
      ['matched_again', 1],
    ],
  );
  await owner('POST', `/v1/incidents/${incident.id}/resolve`, { resolution: 'FIXED', summary: 'Fixed.' });
  await refuse(1);
  const reopened = await matched(14);
  assert.deepEqual([reopened.id, reopened.status], [incident.id, 'OPEN']);
  await owner('POST', `/v1/incidents/${incident.id}/resolve`, { resolution: 'FALSE_ALARM', summary: 'Wrong.' });
  await refuse(1);
  const muted = await matched(15);
  assert.equal(muted.status, 'RESOLVED');
  assert.equal((await incidents()).length, 1);
});

test('a rule counts each event once while the worker is killed repeatedly', async () => {
  const { create, refuse, matched } = await newScene();
  await create({ name: 'Each refusal', condition: 'REFUSAL_CODE', code: 'ACTION_BLOCKED' });
  for (let round = 0; round < 4; round += 1) {
    const refusing = refuse(5);
    worker.child.kill('SIGKILL');
    await worker.stop();
    worker = await startWorker(planes.database);
    await refusing;
  }
  await matched(20);
  await refuse(1);
  await matched(21);
});

test('a rule pauses the agent of its key and no other, and the event names the rule and the person', async () => {
  const { create, refuse, matched, owner, agent, tenant } = await newScene();
  const other = await newGoverned(planes);
  const rule = await create({ name: 'Stop it', condition: 'REFUSALS', count: 2, within_seconds: 600, contain: 'PAUSE_AGENT' });
  await refuse(2);
  const incident = await matched(1);
  await waitUntil('the agent is paused', async () => (await owner('GET', `/v1/agents/${agent.id}`)).json.status === 'PAUSED');
  const { data: events } = (await owner('GET', `/v1/audit-events?subject_id=${agent.id}&type=agent.paused`)).json;
  assert.equal(events.length, 1);
  const [{ actor, data }] = events;
  assert.deepEqual([actor.type, data.rule_id, data.rule_changed_by, data.incident_id], ['SYSTEM', rule.id, tenant.user.id, incident.id]);
  assert.equal((await other.owner('GET', `/v1/agents/${other.agent.id}`)).json.status, 'ACTIVE');
});

test('rules open at most 20 incidents in an hour, and one more counts further findings', async () => {
  const { refuse, owner, create } = await newScene();
  for (let each = 0; each < 20; each += 1) await create({ name: `Rule ${each}`, condition: 'REFUSALS' });
  await refuse(1);
  const all = async (): Promise<Incident[]> => (await owner('GET', '/v1/incidents?limit=100')).json;
  await waitUntil('each rule opened an incident', async () => (await all()).length === 20);
  const full = await owner('POST', '/v1/incident-rules', {
    ...{ environment_id: (await owner('GET', '/v1/incident-rules')).json[0].environment_id, severity: 'LOW', reason },
    ...{ name: 'One more', condition: 'REFUSALS' },
  });
  assert.equal(full.json.error.code, 'UNPROCESSABLE', full.text);
  const [first] = (await owner('GET', '/v1/incident-rules')).json;
  await owner('DELETE', `/v1/incident-rules/${first.id}`, { reason });
  await create({ name: 'By tool', condition: 'REFUSALS', key: 'TOOL' });
  await refuse(1);
  await waitUntil('the others are collected', async () => (await all()).length === 21);
  const collecting = (await all()).find(({ rule_id }) => rule_id === 'too_many');
  assert.deepEqual([collecting?.matches, collecting?.status], [1, 'OPEN']);
});
