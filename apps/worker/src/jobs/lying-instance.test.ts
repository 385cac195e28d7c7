import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { MCP_ENV } from '@svc/testing/agents/mcp-scene.ts';
import {
  type AutomationServer,
  newWorkflow,
  OPERATING_SCOPES,
  startAutomationServer,
} from '@svc/testing/peers/automation/automation-server.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

const MANUAL = { type: 'n8n-nodes-base.manualTrigger' };
const SCHEDULE = { type: 'n8n-nodes-base.scheduleTrigger' };
const GOVERNED = { type: 'n8n-nodes-svc-governance.svcAction', name: 'Ask', parameters: { operation: 'act', tool: 'pay' } };
const DIRECT = { type: 'n8n-nodes-base.httpRequest', parameters: { url: 'https://api.service.example/charge' } };

let planes: Planes;
let database: pg.Client;
let governed: Governed;
before(async () => {
  planes = await startPlanes({ env: MCP_ENV });
  database = await planes.database.client();
  governed = await newGoverned(planes);
});
after(async () => {
  await database?.end();
  await planes?.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any;
const send = (method: string, path: string, body?: object): Promise<Json> =>
  mustCall(planes.controlUrl, method, path, { token: governed.tenant.token, ...(body ? { body } : {}) });

const start = async (t: TestContext): Promise<AutomationServer> => {
  const instance = await startAutomationServer();
  t.after(() => instance.close());
  instance.scopes = [...OPERATING_SCOPES];
  return instance;
};

let made = 0;
const register = async (instance: AutomationServer, more: object = {}): Promise<string> => {
  made += 1;
  const { workspace_id, environment_id } = governed.tenant;
  const about = { name: `Instance ${made}`, kind: 'WORKFLOW_AUTOMATION', workspace_id, environment_id, fail_closed: false };
  const connected = { base_url: instance.url, api_key: instance.key, settings: { requests_per_second: 20 } };
  return (await send('POST', '/v1/runtimes', { ...about, ...connected, ...more })).id;
};

type Verified = { readonly after: string; readonly holds: Record<string, boolean | null>; readonly kinds: readonly string[] };

const verify = async (id: string): Promise<Verified> => {
  const { id: runId } = await send('POST', `/v1/runtimes/${id}/verify`, {});
  const read = async () => (await send('GET', `/v1/runtimes/${id}/runs?run_id=${runId}`)).data[0];
  await waitUntil('the run ended', async () => !['QUEUED', 'RUNNING'].includes((await read()).state));
  const run = await read();
  assert.equal(run.state, 'COMPLETED', run.failure ?? '');
  const { data } = await send('GET', `/v1/runtime-findings?runtime_id=${id}&status=OPEN&limit=200`);
  return {
    after: run.after,
    // One observation that does not hold is enough.
    holds: Object.fromEntries(
      run.evidence
        .toSorted((one: Json, other: Json) => Number(one.holds === false) - Number(other.holds === false))
        .map(({ name, holds }: Json) => [name, holds]),
    ),
    kinds: data.map(({ kind, severity, workflow }: Json) => `${kind} ${severity}${workflow ? ` ${workflow.id}` : ''}`),
  };
};

type Lie = {
  readonly title: string;
  readonly tell: (instance: AutomationServer) => void;
  readonly registered?: object;
  readonly status: string;
  readonly evidence?: string;
  readonly finding?: string;
};

/** A statement of an instance, and the observation that contradicts it. */
const LIES: readonly Lie[] = [
  {
    title: 'it states an excluded node type and runs it',
    tell: (instance) => {
      instance.runsExcluded = true;
    },
    registered: { admin_access: 'OPERATE' },
    ...{ status: 'BYPASSED', evidence: 'CANARY_NODE', finding: `SETTING_CONTRADICTED CRITICAL` },
  },
  {
    title: 'it states a list of allowed node types and runs others',
    tell: (instance) => {
      Object.assign(instance, { excluded: [], included: ['n8n-nodes-base.webhook'], runsExcluded: true });
    },
    registered: { admin_access: 'OPERATE' },
    ...{ status: 'BYPASSED', evidence: 'CANARY_NODE', finding: 'SETTING_CONTRADICTED CRITICAL' },
  },
  {
    title: 'a managed instance reports the settings of the bundle and loads other node types',
    tell: (instance) => {
      instance.included = ['n8n-nodes-base.webhook', 'n8n-nodes-base.httpRequest'];
    },
    registered: { kind: 'WORKFLOW_AUTOMATION_MANAGED', admin_access: 'READ' },
    ...{ status: 'BYPASSED', evidence: 'SETTINGS', finding: 'SETTING_DIFFERS HIGH' },
  },
  {
    title: 'it states that the draft is published and runs another version',
    tell: (instance) => {
      const { nodes, connections } = newWorkflow('w1', [SCHEDULE, DIRECT]);
      Object.assign(instance.workflows[0] ?? {}, { activeVersion: { nodes, connections } });
    },
    ...{ status: 'BYPASSED', finding: 'DIRECT_HTTP HIGH w1' },
  },
  {
    title: 'it does not return the published version',
    tell: (instance) => {
      Object.assign(instance.workflows[0] ?? {}, { activeVersionId: 'another' });
    },
    ...{ status: 'UNKNOWN', evidence: 'INVENTORY' },
  },
  {
    title: 'it changes nodes between two lists and keeps the version',
    tell: (instance) => {
      let lists = 0;
      instance.onRequest = (method, path) => {
        if (method === 'GET' && path === '/api/v1/workflows')
          instance.workflows = [newWorkflow('w1', [SCHEDULE, [GOVERNED, MANUAL][lists++ % 2] ?? MANUAL])];
      };
    },
    ...{ status: 'UNKNOWN', evidence: 'INVENTORY' },
  },
  {
    title: 'its list of workflows does not end',
    tell: (instance) => {
      instance.rewrite = (method, path, body) =>
        method === 'GET' && path === '/api/v1/workflows' ? { ...body, nextCursor: 'e30=' } : body;
    },
    ...{ status: 'UNKNOWN', evidence: 'INVENTORY' },
  },
  {
    title: 'its list omits a workflow that runs',
    tell: (instance) => {
      instance.executions.push({ id: '1', workflowId: 'hidden', mode: 'trigger', status: 'success', startedAt: new Date().toISOString() });
    },
    ...{ status: 'BYPASSED', evidence: 'EXECUTIONS', finding: 'UNGOVERNED_EXECUTION HIGH' },
  },
  {
    title: 'a workflow has the name of a test workflow',
    tell: (instance) => {
      instance.workflows.push({ ...newWorkflow('w2', [SCHEDULE, DIRECT]), name: 'svc-canary-run_1-1' });
    },
    ...{ status: 'BYPASSED', finding: 'DIRECT_HTTP HIGH w2' },
  },
  {
    title: 'the key is stated to have scopes that requests are refused for',
    tell: (instance) => {
      instance.rewrite = (_method, path, body) => (path === '/api/v1/audit' ? { message: 'Forbidden' } : body);
    },
    registered: { kind: 'WORKFLOW_AUTOMATION_MANAGED', admin_access: 'READ' },
    ...{ status: 'BYPASSED', evidence: 'SETTINGS', finding: 'SETTING_DIFFERS HIGH' },
  },
];

for (const { title, tell, registered, status, evidence, finding } of LIES) {
  test(`does not believe an instance: ${title}`, async (t) => {
    const instance = await start(t);
    instance.workflows = [newWorkflow('w1', [SCHEDULE, GOVERNED])];
    tell(instance);
    const run = await verify(await register(instance, registered));
    assert.equal(run.after, status, JSON.stringify(run));
    if (evidence !== undefined) assert.equal(run.holds[evidence], false, JSON.stringify(run.holds));
    if (finding !== undefined) assert.ok(run.kinds.includes(finding), run.kinds.join(', '));
  });
}

test('an honest instance with the same workflow is DETECTED', async (t) => {
  const instance = await start(t);
  instance.workflows = [newWorkflow('w1', [SCHEDULE, GOVERNED])];
  assert.equal((await verify(await register(instance))).after, 'DETECTED');
});

test('does not believe an instance: it answers that a test workflow was removed and keeps it', async (t) => {
  const instance = await start(t);
  const id = await register(instance, { admin_access: 'OPERATE' });
  let kept = 0;
  instance.rewrite = (method, _path, body) => {
    if (method === 'DELETE' && body.id !== undefined && kept < 2) {
      kept += 1;
      instance.workflows.push(body);
    }
    return body;
  };
  await verify(id);
  assert.deepEqual([kept, instance.workflows], [2, []]);
});

test('does not believe a governed node that passes items without a recorded action', async (t) => {
  const instance = await start(t);
  const workflow = newWorkflow('w1', [SCHEDULE, GOVERNED]);
  instance.workflows = [workflow];
  const id = await register(instance);
  const execute = (items: readonly object[]) =>
    instance.executions.splice(0, 1, {
      ...{ id: '1', workflowId: 'w1', mode: 'trigger', status: 'success', startedAt: new Date().toISOString(), workflowData: workflow },
      data: { resultData: { runData: { Ask: [{ data: { main: [[], [], items] } }] } } },
    });
  const { status, json } = await governed.act({});
  assert.equal(status, 200);
  execute([{ json: { svc: { decision: 'PERMITTED', action_id: json.action_id } } }]);
  const honest = await verify(id);
  assert.deepEqual([honest.after, honest.holds.EXECUTIONS], ['DETECTED', true], JSON.stringify(honest));
  for (const svc of [{ decision: 'PERMITTED', action_id: 'act_01ARZ3NDEKTSV4RRFFQ69G5FAV' }, { decision: 'PERMITTED' }, undefined]) {
    execute([{ json: { svc } }]);
    const { after, holds, kinds } = await verify(id);
    assert.deepEqual([after, holds.EXECUTIONS, kinds.includes('UNGOVERNED_EXECUTION HIGH')], ['BYPASSED', false, true], kinds.join(', '));
  }
});

const operate = async (id: string, operation: string): Promise<string> => {
  await send('POST', `/v1/runtimes/${id}/operate`, { operation, reason: 'test' });
  return checkOperation(id);
};
const checkOperation = async (id: string): Promise<string> => {
  await database.query('update runtimes set operate_due_at = now() where id = $1', [id]);
  const due = async () => (await database.query('select operate_due_at <= now() as due from runtimes where id = $1', [id])).rows[0].due;
  await waitUntil('the instance was asked', async () => !(await due()));
  await waitUntil('it was read back', async () => (await send('GET', `/v1/runtimes/${id}`)).operated.instance !== 'PENDING');
  return (await send('GET', `/v1/runtimes/${id}`)).operated.instance;
};

test('does not trust an instance that reports a stopped execution while it continues', async (t) => {
  const instance = await start(t);
  const id = await register(instance, { admin_access: 'OPERATE' });
  instance.executions.push({ id: '7', workflowId: 'w1', mode: 'trigger', status: 'running', startedAt: new Date().toISOString() });
  instance.rewrite = (_method, _path, body) => {
    for (const each of instance.executions) each.status = 'running';
    return body;
  };
  assert.equal(await operate(id, 'DISABLE'), 'NOT_APPLIED');
  instance.rewrite = (_method, _path, body) => body;
  assert.equal(await checkOperation(id).then(() => waitUntilConfirmed(id)), 'CONFIRMED');
});

const waitUntilConfirmed = async (id: string): Promise<string> => {
  const read = async () => (await send('GET', `/v1/runtimes/${id}`)).operated.instance;
  await waitUntil('it is confirmed', async () => (await read()) === 'CONFIRMED');
  return read();
};

test('does not believe an instance: it lists nothing as active and executes after a PAUSE', async (t) => {
  const instance = await start(t);
  const id = await register(instance, { admin_access: 'OPERATE' });
  assert.equal(await operate(id, 'PAUSE'), 'CONFIRMED');
  const earlier = new Date(Date.now() - 600_000).toISOString();
  await database.query(`update runtimes set operated = jsonb_set(operated, '{at}', to_jsonb($2::text)) where id = $1`, [id, earlier]);
  const execution = { workflowId: 'w1', status: 'success', startedAt: new Date().toISOString() };
  instance.executions.push({ ...execution, id: '1', mode: 'manual' });
  assert.equal(await checkOperation(id), 'CONFIRMED');
  instance.executions.push({ ...execution, id: '2', mode: 'webhook' });
  await database.query('update runtimes set operate_due_at = now() where id = $1', [id]);
  await waitUntil('it is seen', async () => (await send('GET', `/v1/runtimes/${id}`)).operated.instance === 'NOT_APPLIED');
  const { data } = await send('GET', `/v1/runtime-findings?runtime_id=${id}&status=OPEN`);
  assert.deepEqual(
    data.map(({ kind, severity }: Json) => `${kind} ${severity}`),
    ['OPERATE_NOT_APPLIED CRITICAL'],
  );
});
