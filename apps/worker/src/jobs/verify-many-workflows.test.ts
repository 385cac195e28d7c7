import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MCP_ENV } from '@svc/testing/agents/mcp-scene.ts';
import { startJobsWorker } from '@svc/testing/events/start-worker.ts';
import { newWorkflow, startAutomationServer } from '@svc/testing/peers/automation/automation-server.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { startPlanes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

const WORKFLOWS = 1_000;
const PER_SECOND = 5;
/** Requests are counted where they arrive, which varies by some milliseconds. */
const WINDOW_MS = 950;

test('two workers inspect 1,000 workflows with no more requests in a second than the runtime allows', async (t) => {
  const planes = await startPlanes({ env: MCP_ENV });
  t.after(() => planes.stop());
  const other = await startJobsWorker(planes.database, MCP_ENV);
  t.after(() => other.stop());
  const instance = await startAutomationServer();
  t.after(() => instance.close());
  instance.workflows = Array.from({ length: WORKFLOWS }, (_, at) =>
    newWorkflow(`w${at}`, [
      { type: 'n8n-nodes-base.scheduleTrigger' },
      { type: 'n8n-nodes-svc-governance.svcAction', parameters: { operation: 'act', tool: 'pay' } },
      ...Array.from({ length: 8 }, () => ({
        type: 'n8n-nodes-base.set',
        parameters: { values: { string: [{ name: 'a', value: `${at}` }] } },
      })),
    ]),
  );
  const { token, workspace_id, environment_id } = await newTenant(planes);
  const send = (method: string, path: string, body?: object) =>
    mustCall(planes.controlUrl, method, path, { token, ...(body ? { body } : {}) });
  const { id } = await send('POST', '/v1/runtimes', {
    ...{ name: 'Large', kind: 'WORKFLOW_AUTOMATION', workspace_id, environment_id, base_url: instance.url, api_key: instance.key },
    settings: { requests_per_second: PER_SECOND },
  });
  const started = performance.now();
  const { id: runId } = await send('POST', `/v1/runtimes/${id}/verify`, {});
  const read = async () => (await send('GET', `/v1/runtimes/${id}/runs?run_id=${runId}`)).data[0];
  await waitUntil('it ended', async () => !['QUEUED', 'RUNNING'].includes((await read()).state));
  const run = await read();
  t.diagnostic(`${WORKFLOWS} workflows: ${((performance.now() - started) / 1_000).toFixed(1)} s, ${run.requests} requests`);
  assert.deepEqual([run.state, run.workflows], ['COMPLETED', WORKFLOWS], run.failure ?? '');
  const times = instance.requests.map(({ at }) => at);
  for (const [index, at] of times.entries()) {
    const within = times.slice(index).filter((each) => each < at + WINDOW_MS).length;
    assert.ok(within <= PER_SECOND, `${within} requests in a second`);
  }
  assert.ok(run.requests <= 40, `${run.requests} requests`);
});
