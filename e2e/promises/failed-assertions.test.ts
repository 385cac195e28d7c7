import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mintToken, newKeyPair, readAudience, SDK, signAssertion } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { startWorker } from '@svc/testing/events/start-worker.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { call } from '@svc/testing/people/client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type { RunningProcess } from '@svc/testing/processes/start-process.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

let planes: Planes;
let worker: RunningProcess;
before(async () => {
  planes = await startPlanes({ gateways: 2 });
  worker = await startWorker(planes.database, {});
});
after(async () => {
  await worker.stop();
  await planes.stop();
});

const readScore = async ({ act }: Governed, gateway: number) => {
  const { json, text } = await act({ dry_run: true }, { gateway });
  assert.ok(json.explanation, text);
  return [json.explanation.risk.score, json.explanation.risk.signals.map(({ name }: { name: string }) => name)];
};

test('forged assertions in the name of an agent leave its score as it is, and are one risk event and one incident, over two gateways', async () => {
  const governed = await newGoverned(planes);
  const { agent, owner, tenant, act } = governed;
  assert.equal((await act({})).status, 200);
  const rule = await owner('POST', '/v1/incident-rules', {
    ...{ environment_id: tenant.environment_id, name: 'Forged', condition: 'ASSERTION_FAILURES', severity: 'HIGH', reason: 'test' },
  });
  assert.equal(rule.status, 201, rule.text);
  const before = await Promise.all([0, 1].map((gateway) => readScore(governed, gateway)));
  const forged = { id: agent.id, privateKey: newKeyPair().privateKey };
  const audience = await readAudience(planes.gatewayUrl);
  const count = countRepetitions({ short: 240, long: 10_000 });
  let next = 0;
  const forge = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) {
      const body = { agent_id: agent.id, assertion: signAssertion(forged, audience), sdk: SDK };
      const refused = await call(planes.gatewayUrls[at % 2] ?? '', 'POST', '/gateway/v1/token', { body });
      assert.notEqual(refused.status, 200, refused.text);
    }
  };
  await Promise.all(Array.from({ length: 16 }, forge));
  const list = async () =>
    (await owner('GET', `/v1/risk-events?agent_id=${agent.id}`)).json as { signal: string; points: number; count: number }[];
  await waitUntil('the failures are a risk event', async () => (await list()).length > 0);
  await waitUntil('the rule opened an incident', async () => (await owner('GET', `/v1/incidents?agent_id=${agent.id}`)).json.length === 1);
  const events = await list();
  assert.deepEqual(
    events.map(({ signal, points }) => [signal, points]),
    [['assertion_failures', 0]],
  );
  assert.ok((events[0]?.count ?? 0) >= 50);
  assert.deepEqual(await Promise.all([0, 1].map((gateway) => readScore(governed, gateway))), before);
  assert.equal(
    (
      await call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', {
        token: await mintToken(planes.gatewayUrl, agent),
        body: { tool: 'pay' },
      })
    ).status,
    200,
  );
  const risk = (await owner('GET', `/v1/agents/${agent.id}/risk`)).json;
  assert.equal(risk.risk, 0);
});
