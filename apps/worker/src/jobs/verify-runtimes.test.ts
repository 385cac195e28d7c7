import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { MCP_ENV } from '@svc/testing/agents/mcp-scene.ts';
import { startWorker } from '@svc/testing/events/start-worker.ts';
import {
  type AutomationServer,
  getRecordedWorkflows,
  newWorkflow,
  OPERATING_SCOPES,
  startAutomationServer,
} from '@svc/testing/peers/automation/automation-server.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

const HTTP = 'n8n-nodes-base.httpRequest';
const WEBHOOK = { type: 'n8n-nodes-base.webhook', parameters: { path: 'open' } };
const MANUAL = { type: 'n8n-nodes-base.manualTrigger' };
const GOVERNED = { type: 'n8n-nodes-svc-governance.svcAction', parameters: { operation: 'act', tool: 'refund.create' } };
const direct = (url: string) => ({ type: HTTP, parameters: { url } });

let planes: Planes;
let database: pg.Client;
let tenant: Tenant;
let instance: AutomationServer;
let made = 0;

before(async () => {
  planes = await startPlanes({ env: MCP_ENV });
  database = await planes.database.client();
  tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
});
after(async () => {
  await instance?.close();
  await database?.end();
  await planes?.stop();
});
beforeEach(async () => {
  await instance?.close();
  instance = await startAutomationServer();
});

const send = (method: string, path: string, body?: object) =>
  mustCall(planes.controlUrl, method, path, { token: tenant.token, ...(body ? { body } : {}) });

const register = async (more: object = {}): Promise<string> => {
  made += 1;
  const { workspace_id, environment_id } = tenant;
  const body = {
    name: `Instance ${made}`,
    kind: 'WORKFLOW_AUTOMATION',
    workspace_id,
    environment_id,
    base_url: instance.url,
    api_key: instance.key,
  };
  return (await send('POST', '/v1/runtimes', { ...body, settings: { requests_per_second: 20 }, ...more })).id;
};

type Run = { id: string; state: string; failure: string | null; after: string; evidence: { name: string; holds: boolean | null }[] };

/** Verifies a runtime and returns its ended run with the evidence. */
const verify = async (id: string): Promise<Run> => {
  const { id: runId } = await send('POST', `/v1/runtimes/${id}/verify`, {});
  const read = async (): Promise<Run> => (await send('GET', `/v1/runtimes/${id}/runs?run_id=${runId}`)).data[0];
  await waitUntil('the run ended', async () => !['QUEUED', 'RUNNING'].includes((await read()).state));
  return read();
};

const readFindings = async (id: string): Promise<{ kind: string; severity: string; dormant: boolean; workflow: { id: string } | null }[]> =>
  (await send('GET', `/v1/runtime-findings?runtime_id=${id}&status=OPEN&limit=200`)).data;
const readKinds = async (id: string): Promise<string[]> =>
  (await readFindings(id)).map(({ kind, severity }) => `${kind} ${severity}`).toSorted();
const holds = (run: Run, name: string) => run.evidence.find((each) => each.name === name)?.holds;

describe('verification of an instance', () => {
  test('an instance whose workflows all call the gateway is DETECTED, and its workflows and evidence can be read', async () => {
    instance.workflows = [newWorkflow('w1', [MANUAL, GOVERNED])];
    const id = await register();
    const run = await verify(id);
    assert.deepEqual(
      [run.state, run.after, holds(run, 'INVENTORY'), holds(run, 'REACHED')],
      ['COMPLETED', 'DETECTED', true, true],
      run.failure ?? '',
    );
    const [workflow] = (await send('GET', `/v1/runtimes/${id}/workflows`)).items;
    assert.deepEqual([workflow.workflow_id, workflow.active, workflow.open_findings], ['w1', true, 0]);
    const { inventory } = await send('GET', `/v1/runtimes/${id}/workflows/w1`);
    assert.equal(inventory.draft.nodes[1].class, 'GOVERNED');
  });

  test('bypasses make it BYPASSED, and removing them makes it DETECTED again', async () => {
    const agentTool = newWorkflow('w2', [
      { ...WEBHOOK, name: 'Start' },
      { name: 'Agent', type: '@n8n/n8n-nodes-langchain.agent' },
      { name: 'Any', type: 'n8n-nodes-base.httpRequestTool', parameters: { url: "={{ $fromAI('url') }}" } },
    ]);
    agentTool.connections = {
      Start: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
      Any: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
    };
    instance.workflows = [newWorkflow('w1', [MANUAL, direct('https://api.service.example/charge')]), agentTool];
    const id = await register();
    assert.equal((await verify(id)).after, 'BYPASSED');
    const found = await readKinds(id);
    for (const wanted of ['DIRECT_HTTP HIGH', 'AI_TOOL_UNGOVERNED CRITICAL', 'OPEN_TRIGGER HIGH'])
      assert.ok(found.includes(wanted), found.join(', '));
    instance.workflows = [newWorkflow('w1', [MANUAL, GOVERNED])];
    assert.equal((await verify(id)).after, 'DETECTED');
  });

  test('the published version counts, not the draft; a sub-workflow is followed even if no list contains it', async () => {
    const published = newWorkflow('w1', [MANUAL, direct('https://api.service.example/')]);
    const hidden = newWorkflow('w3', [MANUAL, { type: 'n8n-nodes-base.slack' }], { active: false });
    const caller = newWorkflow('w2', [MANUAL, { type: 'n8n-nodes-base.executeWorkflow', parameters: { workflowId: 'w3' } }]);
    instance.workflows = [
      {
        ...newWorkflow('w1', [MANUAL, GOVERNED]),
        ...{ versionId: 'draft', activeVersionId: 'live', activeVersion: { nodes: published.nodes, connections: published.connections } },
      },
      caller,
    ];
    const id = await register();
    instance.onRequest = (_method, path) => {
      // It is only available by its id.
      if (path === '/api/v1/workflows/w3' && !instance.workflows.includes(hidden)) instance.workflows.push(hidden);
      if (path === '/api/v1/workflows') instance.workflows = instance.workflows.filter((each) => each !== hidden);
    };
    await verify(id);
    const found = await readFindings(id);
    const at = (workflow: string) =>
      found.filter((each) => each.workflow?.id === workflow).map(({ kind, dormant }) => `${kind} ${dormant}`);
    assert.deepEqual(at('w1'), ['DIRECT_HTTP false']);
    assert.ok(at('w2').includes('SUBWORKFLOW_BYPASS false'), at('w2').join());
    assert.ok(at('w3').includes('DIRECT_SERVICE false'), at('w3').join());
  });

  test('recorded workflows of the product: governed ones are clean, and each bypass is found', async () => {
    instance.workflows = getRecordedWorkflows().map((workflow) => ({ ...workflow, active: true, activeVersionId: workflow.versionId }));
    const id = await register();
    await verify(id);
    const found = await readFindings(id);
    const worst = (name: string) => {
      const workflow = instance.workflows.find((each) => each.name.startsWith(name));
      return found.filter((each) => each.workflow?.id === workflow?.id && each.severity !== 'LOW').map(({ kind }) => kind);
    };
    assert.deepEqual([worst('c01'), worst('c07')], [[], []]);
    assert.ok(worst('b01').includes('DIRECT_SERVICE'));
    assert.ok(worst('b10').includes('AI_TOOL_UNGOVERNED'));
    assert.ok(worst('b29').includes('SECRET_IN_WORKFLOW'));
    assert.ok(worst('b14-sub-workflow child').includes('DIRECT_SERVICE'));
  });

  test('a changing list is read again, and a run that the instance refuses is FAILED and resolves no finding', async () => {
    instance.workflows = [newWorkflow('w1', [MANUAL, direct('https://api.service.example/')])];
    const id = await register();
    await verify(id);
    let lists = 0;
    instance.onRequest = (method, path) => {
      if (method !== 'GET' || path !== '/api/v1/workflows') return;
      lists += 1;
      if (lists === 2) instance.workflows.push(newWorkflow('w2', [MANUAL, GOVERNED]));
    };
    const run = await verify(id);
    assert.deepEqual([run.state, holds(run, 'INVENTORY')], ['COMPLETED', true], run.failure ?? '');
    assert.ok((await readKinds(id)).includes('DIRECT_HTTP HIGH'));
    instance.onRequest = () => undefined;
    await send('PUT', `/v1/runtimes/${id}/api-key`, { api_key: 'a-key-that-is-refused', test: false });
    const refused = await verify(id);
    assert.equal(refused.state, 'FAILED');
    assert.match(refused.failure ?? '', /refused the key/);
    assert.ok((await readKinds(id)).includes('DIRECT_HTTP HIGH'));
  });

  test('no more requests are sent in a second than the runtime allows', async () => {
    instance.workflows = [newWorkflow('w1', [MANUAL, GOVERNED])];
    const id = await register({ settings: { requests_per_second: 5 } });
    instance.requests.length = 0;
    await verify(id);
    const times = instance.requests.map(({ at }) => at);
    for (const [index, at] of times.entries()) assert.ok(times.slice(index).filter((other) => other < at + 950).length <= 6);
  });
});

describe('test workflows', () => {
  test('are created, run and removed; one that runs an excluded node shows that the settings are not effective', async () => {
    instance.scopes = [...OPERATING_SCOPES];
    instance.blocksEgress = true;
    const id = await register({ admin_access: 'OPERATE' });
    const honest = await verify(id);
    assert.deepEqual(
      [holds(honest, 'CANARY_NODE'), holds(honest, 'CANARY_EGRESS'), honest.after],
      [true, true, 'DETECTED'],
      honest.failure ?? '',
    );
    instance.runsExcluded = true;
    const lying = await verify(id);
    assert.deepEqual([holds(lying, 'CANARY_NODE'), lying.after], [false, 'BYPASSED']);
    assert.ok((await readKinds(id)).includes('SETTING_CONTRADICTED CRITICAL'));
    assert.deepEqual(instance.workflows, []);
    const { rows } = await database.query('select count(*)::int as n from runtime_canaries where removed_at is null');
    assert.equal(rows[0].n, 0);
  });

  test('a test workflow that an ended process left is removed by the next run', async () => {
    instance.scopes = [...OPERATING_SCOPES];
    const id = await register({ admin_access: 'OPERATE' });
    const left = { ...newWorkflow('left', [MANUAL], { active: true }), name: 'svc-canary-left' };
    instance.workflows = [left];
    await database.query(
      `insert into runtime_canaries (organization_id, workspace_id, environment_id, runtime_id, run_id, name, kind, planned_at)
       select organization_id, workspace_id, environment_id, id, 'run_ended', 'svc-canary-left', 'CANARY_NODE', now() from runtimes where id = $1`,
      [id],
    );
    await verify(id);
    assert.deepEqual(instance.workflows, []);
  });
});

describe('operations', () => {
  test('PAUSE deactivates the workflows and reads back; an instance that does not obey is a critical finding', async () => {
    instance.scopes = [...OPERATING_SCOPES];
    instance.workflows = [newWorkflow('w1', [MANUAL, GOVERNED])];
    const id = await register({ admin_access: 'OPERATE' });
    await send('POST', `/v1/runtimes/${id}/operate`, { operation: 'PAUSE', reason: 'test' });
    const instanceState = async () => (await send('GET', `/v1/runtimes/${id}`)).operated.instance;
    await waitUntil('it is confirmed', async () => (await instanceState()) === 'CONFIRMED');
    assert.deepEqual([instance.workflows[0]?.active, (await send('GET', `/v1/runtimes/${id}`)).operated.deactivated], [false, ['w1']]);
    instance.ignoresDeactivation = true;
    for (const workflow of instance.workflows) workflow.active = true;
    await database.query('update runtimes set operate_due_at = now() where id = $1', [id]);
    await waitUntil('it is not applied', async () => (await instanceState()) === 'NOT_APPLIED');
    assert.ok((await readKinds(id)).includes('OPERATE_NOT_APPLIED CRITICAL'));
    assert.equal((await send('GET', `/v1/runtimes/${id}`)).enforcement.status, 'BYPASSED');
  });

  test('RECOVER makes a clean runtime ACTIVE after its verification, and leaves one with a way around it PAUSED', async () => {
    instance.workflows = [newWorkflow('w1', [MANUAL, GOVERNED])];
    const id = await register();
    const operate = (operation: string) => send('POST', `/v1/runtimes/${id}/operate`, { operation, reason: 'test' });
    const statusIs = (status: string) =>
      waitUntil(`it is ${status}`, async () => (await send('GET', `/v1/runtimes/${id}`)).status === status);
    await operate('PAUSE');
    await operate('RECOVER');
    await statusIs('ACTIVE');
    instance.workflows = [newWorkflow('w1', [WEBHOOK, { type: 'n8n-nodes-base.executeCommand' }])];
    await operate('PAUSE');
    await operate('RECOVER');
    await statusIs('PAUSED');
  });
});

test('another worker continues the run of a killed one, and the age of evidence is recorded', async () => {
  instance.workflows = [newWorkflow('w1', [MANUAL, direct('https://api.service.example/')])];
  const id = await register();
  const { id: runId } = await send('POST', `/v1/runtimes/${id}/verify`, {});
  await waitUntil(
    'it began',
    async () => (await database.query('select state from verification_runs where id = $1', [runId])).rows[0].state !== 'QUEUED',
  );
  const follower = await startWorker(planes.database);
  // The lease of the first process ends.
  await database.query("update verification_runs set due_at = now() where id = $1 and state = 'RUNNING'", [runId]);
  const ended = async () => (await database.query('select state from verification_runs where id = $1', [runId])).rows[0].state;
  await waitUntil('it ended', async () => ['COMPLETED', 'FAILED'].includes(await ended()));
  assert.equal(await ended(), 'COMPLETED');
  assert.equal((await readKinds(id)).filter((kind) => kind.startsWith('DIRECT_HTTP')).length, 1);
  await database.query("update runtime_evidence set observed_at = observed_at - interval '3 hours' where runtime_id = $1", [id]);
  await database.query("update runtimes set falls_at = now(), next_verification_at = now() + interval '1 hour' where id = $1", [id]);
  instance.workflows = [];
  const fallen = async () => (await send('GET', `/v1/runtimes/${id}/enforcement`)).history[0];
  await waitUntil(
    'it is written down',
    async () => (await database.query('select falls_at from runtimes where id = $1', [id])).rows[0].falls_at === null,
  );
  assert.ok(['VERIFIED', 'DECAYED'].includes((await fallen()).cause));
  await follower.stop();
});
