import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MCP_ENV } from '@svc/testing/agents/mcp-scene.ts';
import { startJobsWorker } from '@svc/testing/events/start-worker.ts';
import { sample } from '@svc/testing/length/test-length.ts';
import { newWorkflow, OPERATING_SCOPES, startAutomationServer } from '@svc/testing/peers/automation/automation-server.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { newTenant, type Tenant } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

const MANUAL = { type: 'n8n-nodes-base.manualTrigger' };
const CALLS = { type: 'n8n-nodes-base.executeWorkflow', parameters: { workflowId: 'hidden' } };
const DIRECT = { type: 'n8n-nodes-base.httpRequest', parameters: { url: 'https://api.service.example/' } };

let planes: Planes;
let database: pg.Client;
let tenant: Tenant;
before(async () => {
  planes = await startPlanes({ env: MCP_ENV, jobs: false });
  database = await planes.database.client();
  tenant = await newTenant(planes);
});
after(async () => {
  await database?.end();
  await planes?.stop();
});

const send = (method: string, path: string, body?: object) =>
  mustCall(planes.controlUrl, method, path, { token: tenant.token, ...(body ? { body } : {}) });

/** A request of each step, at which the process that makes it is killed. */
const KILLED_AT: readonly (readonly [step: string, method: string, path: RegExp])[] = [
  ['CONNECT', 'GET', /\/discover$/],
  ['SETTINGS', 'POST', /\/audit$/],
  ['PEOPLE', 'GET', /\/users$/],
  ['CREDENTIALS', 'GET', /\/credentials$/],
  ['WORKFLOWS', 'GET', /\/workflows$/],
  ['FOLLOW', 'GET', /\/workflows\/hidden$/],
  ['EXECUTIONS', 'GET', /\/executions$/],
  ['CANARIES: before it is created', 'POST', /\/api\/v1\/workflows$/],
  ['CANARIES: created', 'POST', /\/activate$/],
  ['CANARIES: started', 'POST', /^\/webhook\//],
  ['CANARIES: being removed', 'DELETE', /\/workflows\/made-\d+$/],
];

for (const [step, method, path] of sample(KILLED_AT, 3, 'steps at which a verification is killed')) {
  test(`a process that is killed in ${step} leaves no test workflow, and another one ends the run`, async () => {
    const instance = await startAutomationServer();
    Object.assign(instance, {
      scopes: [...OPERATING_SCOPES],
      blocksEgress: true,
      workflows: [newWorkflow('w1', [MANUAL, DIRECT]), newWorkflow('w2', [MANUAL, CALLS])],
    });
    const { workspace_id, environment_id } = tenant;
    const { id } = await send('POST', '/v1/runtimes', {
      ...{ name: `Killed in ${step}`, kind: 'WORKFLOW_AUTOMATION', workspace_id, environment_id, admin_access: 'READ' },
      ...{ base_url: instance.url, api_key: instance.key, settings: { requests_per_second: 20 } },
    });
    await database.query("update runtimes set admin_access = 'OPERATE' where id = $1", [id]);
    const first = await startJobsWorker(planes.database, MCP_ENV);
    let isKilled = false;
    instance.onRequest = async (asked, at) => {
      if (isKilled || asked !== method || !path.test(at)) return;
      isKilled = true;
      first.child.kill('SIGKILL');
    };
    const { id: runId } = await send('POST', `/v1/runtimes/${id}/verify`, {});
    await waitUntil('it is killed', () => isKilled);
    // The lease of the killed process ends.
    await database.query('update verification_runs set due_at = now() where id = $1', [runId]);
    const second = await startJobsWorker(planes.database, MCP_ENV);
    const read = async () => (await send('GET', `/v1/runtimes/${id}/runs?run_id=${runId}`)).data[0];
    await waitUntil('it ended', async () => !['QUEUED', 'RUNNING'].includes((await read()).state));
    assert.equal((await read()).state, 'COMPLETED', (await read()).failure ?? '');
    assert.deepEqual(
      instance.workflows.map(({ name }) => name).filter((name) => name.startsWith('svc-canary-')),
      [],
    );
    const { rows } = await database.query('select name from runtime_canaries where runtime_id = $1 and removed_at is null', [id]);
    assert.deepEqual(rows, []);
    const { data } = await send('GET', `/v1/runtime-findings?runtime_id=${id}&status=OPEN&limit=200`);
    const places = data.map(({ kind, workflow, node }: { kind: string; workflow: { id: string } | null; node: { id: string } | null }) =>
      [kind, workflow?.id, node?.id].join(' '),
    );
    assert.equal(places.filter((each: string) => each.startsWith('DIRECT_HTTP w1')).length, 1);
    assert.ok(!places.some((each: string) => each.startsWith('CANARY_LEFT')), places.join(', '));
    await second.stop();
    await instance.close();
  });
}
