import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import { MCP_ENV } from '@svc/testing/agents/mcp-scene.ts';
import { startHook } from '@svc/testing/agents/start-hook.ts';
import { newWorkflow, OPERATING_SCOPES, startAutomationServer } from '@svc/testing/peers/automation/automation-server.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

let planes: Planes;
before(async () => {
  planes = await startPlanes({ env: MCP_ENV });
});
after(() => planes?.stop());

type Evidence = { name: string; holds: boolean | null; detail: string };

test('a managed instance is at most what its hook file, network and people show, and falls when the hook file is silent', async (t) => {
  const { tenant, agent } = await newGoverned(planes);
  const instance = await startAutomationServer();
  t.after(() => instance.close());
  Object.assign(instance, {
    ...{ scopes: [...OPERATING_SCOPES], workflows: [newWorkflow('w1', [{ type: 'n8n-nodes-base.manualTrigger' }])] },
    ...{ included: ['n8n-nodes-base.manualTrigger', 'n8n-nodes-base.webhook'] },
  });
  const send = (method: string, path: string, body?: object) =>
    mustCall(planes.controlUrl, method, path, { token: tenant.token, ...(body ? { body } : {}) });
  const { workspace_id, environment_id } = tenant;
  const { id } = await send('POST', '/v1/runtimes', {
    ...{ name: 'Managed', kind: 'WORKFLOW_AUTOMATION_MANAGED', workspace_id, environment_id, agent_id: agent.id },
    ...{ base_url: instance.url, api_key: instance.key, admin_access: 'OPERATE', settings: { requests_per_second: 20 } },
  });
  const verify = async (): Promise<Record<string, boolean | null>> => {
    const { id: runId } = await send('POST', `/v1/runtimes/${id}/verify`, {});
    const read = async () => (await send('GET', `/v1/runtimes/${id}/runs?run_id=${runId}`)).data[0];
    await waitUntil('the run ended', async () => (await read()).state === 'COMPLETED');
    return Object.fromEntries((await read()).evidence.map(({ name, holds }: Evidence) => [name, holds]));
  };
  const enforcement = async () => (await send('GET', `/v1/runtimes/${id}/enforcement`)).latest;
  const evidence = async (name: string): Promise<Evidence> => (await enforcement()).evidence.find((each: Evidence) => each.name === name);

  const without = await verify();
  assert.deepEqual([without.BUNDLE, without.CANARY_NODE, (await enforcement()).status], [undefined, true, 'DETECTED']);

  const database = await planes.database.client();
  t.after(() => database.end());
  const assessNow = () => database.query('update runtimes set falls_at = now() where id = $1', [id]);
  // On one machine nothing stops a connection to the control plane.
  const start = async (env = {}) => {
    const hook = await startHook(tenant, id, agent, env);
    t.after(hook.stop);
    return hook;
  };
  const hook = await start();
  await waitUntil('it reports', async () => (await assessNow()) && (await evidence('HOOK_ALIVE')).holds === true);
  assert.equal((await evidence('BUNDLE')).holds, true, (await evidence('BUNDLE')).detail);
  assert.deepEqual([(await evidence('NETWORK')).holds, (await enforcement()).status], [false, 'BYPASSED']);
  await hook.stop();
  await database.query('delete from runtime_heartbeats where runtime_id = $1', [id]);

  const closed = await start({ SVC_EGRESS_PROBE: '127.0.0.1:9' });
  await waitUntil('its network is closed', async () => (await assessNow()) && (await evidence('NETWORK')).holds === true);
  assert.deepEqual(
    [(await enforcement()).status, (await enforcement()).evidence.find((each: Evidence) => each.holds !== true)?.name],
    ['PARTIAL', 'PEOPLE'],
  );
  const run = await verify();
  assert.deepEqual([run.BUNDLE, run.HOOK_ALIVE, run.NETWORK, run.SETTINGS, run.CANARY_NODE], [true, true, true, true, true]);
  await closed.stop();
  await database.query('delete from runtime_heartbeats where runtime_id = $1', [id]);

  const other = await start({ SVC_EGRESS_PROBE: '127.0.0.1:9', N8N_SSRF_PROTECTION_ENABLED: 'false' });
  await waitUntil('it differs', async () => (await assessNow()) && (await evidence('BUNDLE')).holds === false);
  assert.match((await evidence('BUNDLE')).detail, /N8N_SSRF_PROTECTION_ENABLED/);
  assert.equal((await enforcement()).status, 'DETECTED');
  await other.stop();

  await database.query("update runtime_heartbeats set at = now() - interval '6 minutes' where runtime_id = $1", [id]);
  await database.query(
    "update runtime_evidence set observed_at = now() - interval '6 minutes' where runtime_id = $1 and name = 'HOOK_ALIVE'",
    [id],
  );
  await waitUntil(
    'it is silent',
    async () =>
      (await assessNow()) &&
      (await enforcement()).reasons.some(
        ({ evidence: name, why }: { evidence: string; why: string }) => name === 'HOOK_ALIVE' && /too old|never observed/.test(why),
      ),
  );
  assert.equal((await enforcement()).status, 'DETECTED');
});
