import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FINDING_SEVERITIES, type FindingSeverity } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import { activateRules, type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { MCP_ENV } from '@svc/testing/agents/mcp-scene.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { stepUp } from '@svc/testing/people/tenant.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import type pg from 'pg';
import { type RealN8n, startN8n } from './start-n8n.fixture.ts';
import { bypasses, cleanOnes, type WorkflowBody } from './workflows.fixture.ts';

const FOLDER = process.env.N8N_FOLDER ?? '';
const RECORDED = join(import.meta.dirname, '../../packages/testing/src/peers/automation/recorded');
const WAIT_MS = 300_000;

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any;

let planes: StartedPlanes;
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

const send = (method: string, path: string, body?: object): Promise<Json> =>
  mustCall(planes.controlUrl, method, path, { token: governed.tenant.token, ...(body ? { body } : {}) });

const within = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  for (const until = Date.now() + WAIT_MS; !(await holds()); await sleep(500))
    if (Date.now() > until) throw new Error(`${what}: not within ${WAIT_MS / 1_000} s`);
};

let made = 0;
const register = async (instance: { url: string; apiKey?: string }, more: object): Promise<string> => {
  made += 1;
  const { workspace_id, environment_id } = governed.tenant;
  const connected = { base_url: instance.url, ...(instance.apiKey ? { api_key: instance.apiKey } : {}) };
  const body = {
    name: `n8n ${made}`,
    kind: 'WORKFLOW_AUTOMATION',
    workspace_id,
    environment_id,
    settings: { requests_per_second: 20 },
    ...connected,
  };
  return (await send('POST', '/v1/runtimes', { ...body, ...more })).id;
};

const verify = async (id: string): Promise<Json> => {
  const { id: runId } = await send('POST', `/v1/runtimes/${id}/verify`, {});
  const read = async () => (await send('GET', `/v1/runtimes/${id}/runs?run_id=${runId}`)).data[0];
  await within('the run ended', async () => !['QUEUED', 'RUNNING'].includes((await read()).state));
  const run = await read();
  assert.equal(run.state, 'COMPLETED', run.failure ?? '');
  return { ...run, holds: Object.fromEntries(run.evidence.map(({ name, holds }: Json) => [name, holds])) };
};

const findingsOf = async (id: string): Promise<Json[]> => {
  const all: Json[] = [];
  let cursor: string | undefined;
  do {
    const page = await send(
      'GET',
      `/v1/runtime-findings?runtime_id=${id}&status=OPEN&limit=200${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
    );
    all.push(...page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return all;
};

const store = async (n8n: RealN8n, body: WorkflowBody, publish = false): Promise<string> => {
  const made = await n8n.api('POST', '/workflows', body);
  assert.equal(made.status, 200, `${body.name}: ${JSON.stringify(made.body)}`);
  if (publish) {
    const published = await n8n.api('POST', `/workflows/${made.body.id}/activate`, {});
    assert.equal(published.status, 200, `${body.name}: ${JSON.stringify(published.body)}`);
  }
  return made.body.id;
};

const isAtLeast = (one: FindingSeverity, other: FindingSeverity): boolean =>
  FINDING_SEVERITIES.indexOf(one) >= FINDING_SEVERITIES.indexOf(other);

/** The members of an answer, with one element of each list: what the product adds later is no difference. */
const missingIn = (recorded: Json, real: Json, at = ''): string[] => {
  if (Array.isArray(recorded))
    return recorded.length === 0 || !Array.isArray(real) || real.length === 0 ? [] : missingIn(recorded[0], real[0], `${at}[]`);
  if (typeof recorded !== 'object' || recorded === null || real === null) return [];
  if (typeof real !== 'object' || Array.isArray(real)) return [at];
  return Object.entries(recorded).flatMap(([name, value]) =>
    name in real ? missingIn(value, real[name], `${at}.${name}`) : [`${at}.${name}`],
  );
};

test('an instance that others operate', async (t) => {
  const n8n = await startN8n({ folder: FOLDER, databaseUrl: planes.database.url, database, port: await freePort() });
  t.after(n8n.stop);
  const addresses = { gateway: planes.gatewayUrl, instance: n8n.url };

  await t.test('loads the package with its nodes, of which it makes a tool', async () => {
    const { status, body } = await n8n.rest('GET', '/types/nodes.json');
    assert.equal(status, 200);
    const names = body.map(({ name }: Json) => name).filter((name: string) => name.includes('svc-governance'));
    assert.deepEqual(
      [...new Set(names)].toSorted(),
      ['svcAction', 'svcActionTool', 'svcTrigger'].map((name) => `n8n-nodes-svc-governance.${name}`),
    );
  });

  await t.test('tests the connection, and tells a wrong key from a wrong address', async () => {
    const id = await register(n8n, {});
    const tested = await send('POST', `/v1/runtimes/${id}/test`, {});
    assert.ok(['HEALTHY', 'DEGRADED'].includes(tested.health), JSON.stringify(tested));
    assert.equal(tested.evidence.find(({ name }: Json) => name === 'KEY_SCOPES').holds, true);
    await send('PUT', `/v1/runtimes/${id}/api-key`, { api_key: 'a-key-that-is-refused', test: false });
    assert.equal((await send('POST', `/v1/runtimes/${id}/test`, {})).health, 'UNAUTHORIZED');
  });

  await t.test('PAUSE and DISABLE deactivate workflows, which is read back, and RECOVER activates them after a verification', async () => {
    const body = structuredClone(cleanOnes(addresses)[0]) as WorkflowBody;
    const schedule = { ...body.nodes[0], type: 'n8n-nodes-base.scheduleTrigger', typeVersion: 1.2 };
    body.nodes[0] = { ...schedule, parameters: { rule: { interval: [{ field: 'days' }] } } };
    const workflow = await store(n8n, body, true);
    const id = await register(n8n, { admin_access: 'OPERATE' });
    // It started minutes ago.
    await stepUp(planes.controlUrl, governed.tenant);
    const isActive = async (): Promise<boolean> => (await n8n.api('GET', `/workflows/${workflow}`)).body.active;
    const operated = async () => (await send('GET', `/v1/runtimes/${id}`)).operated;
    for (const operation of ['PAUSE', 'DISABLE']) {
      await send('POST', `/v1/runtimes/${id}/operate`, { operation, reason: 'test' });
      await within(`${operation} is confirmed`, async () => (await operated()).instance === 'CONFIRMED');
      assert.deepEqual([await isActive(), (await operated()).deactivated], [false, [workflow]], operation);
    }
    await send('POST', `/v1/runtimes/${id}/operate`, { operation: 'RECOVER', reason: 'test', reactivate: true });
    await within('it is recovered', async () => (await send('GET', `/v1/runtimes/${id}`)).status !== 'RECOVERING');
    const runtime = await send('GET', `/v1/runtimes/${id}`);
    assert.equal(runtime.status, 'ACTIVE', JSON.stringify(runtime.enforcement));
    await within('it is active again', isActive);
    const { data } = await send('GET', `/v1/runtimes/${id}/runs`);
    const { evidence } = (await send('GET', `/v1/runtimes/${id}/runs?run_id=${data[0].id}`)).data[0];
    assert.equal(evidence.find(({ name }: Json) => name === 'CANARY_NODE').holds, true, JSON.stringify(evidence));
    const { body: listed } = await n8n.api('GET', '/workflows?limit=250');
    assert.deepEqual(
      listed.data.filter(({ name }: Json) => name.startsWith('svc-canary-')),
      [],
    );
    await n8n.api('POST', `/workflows/${workflow}/deactivate`, {});
  });

  await t.test('finds every bypass at its node and nothing of medium severity in clean workflows', async () => {
    const wanted = bypasses(addresses);
    const ids: string[] = [];
    for (const { body, publish } of wanted) ids.push(await store(n8n, body, publish ?? false));
    const clean: string[] = [];
    for (const body of cleanOnes(addresses)) clean.push(await store(n8n, body));
    const id = await register(n8n, {});
    const run = await verify(id);
    assert.equal(run.holds.INVENTORY, true);
    assert.equal((await send('GET', `/v1/runtimes/${id}`)).enforcement.status, 'BYPASSED');
    const found = await findingsOf(id);
    const unseen = wanted.flatMap(({ body, node, atLeast }, at) => {
      const here = found.filter(({ workflow }) => workflow?.id === ids[at]);
      const isSeen = here.some((each) => each.node?.name === node && isAtLeast(each.severity, atLeast));
      return isSeen
        ? []
        : [`${body.name}: ${here.map((each) => `${each.kind} ${each.severity} ${each.node?.name}`).join(', ') || 'nothing'}`];
    });
    assert.deepEqual(unseen, []);
    const loud = found.filter((each) => clean.includes(each.workflow?.id) && each.severity !== 'LOW');
    assert.deepEqual(
      loud.map((each) => `${each.workflow.name}: ${each.kind} ${each.severity}`),
      [],
    );
    console.log(`${wanted.length} bypasses found, ${clean.length} clean workflows, ${run.requests} requests`);
  });

  await t.test('what is published counts although the draft is clean', async () => {
    const body = cleanOnes(addresses)[0] as WorkflowBody;
    const [, direct] = bypasses(addresses);
    const bad = { ...(direct?.body as WorkflowBody), name: 'published before' };
    const trigger = {
      ...bad.nodes[0],
      type: 'n8n-nodes-base.scheduleTrigger',
      typeVersion: 1.2,
      parameters: { rule: { interval: [{ field: 'days' }] } },
    };
    const workflow = await store(n8n, { ...bad, nodes: [trigger, ...bad.nodes.slice(1)] }, true);
    const { body: stored } = await n8n.rest('GET', `/rest/workflows/${workflow}`);
    const draft = { ...stored.data, nodes: [trigger, body.nodes[1]], connections: {} };
    const saved = await n8n.rest('PATCH', `/rest/workflows/${workflow}`, {
      nodes: draft.nodes,
      connections: draft.connections,
      versionId: stored.data.versionId,
    });
    assert.equal(saved.status, 200, JSON.stringify(saved.body).slice(0, 300));
    const id = await register(n8n, {});
    await verify(id);
    const here = (await findingsOf(id)).filter((each) => each.workflow?.id === workflow && each.kind === 'DIRECT_HTTP');
    assert.deepEqual(
      here.map(({ severity, dormant }) => [severity, dormant]),
      [['HIGH', false]],
    );
  });

  await t.test('the recorded answers still fit', async () => {
    const recorded = Object.fromEntries(
      readdirSync(RECORDED).map((file) => [file.replace('.json', ''), JSON.parse(readFileSync(join(RECORDED, file), 'utf8'))]),
    );
    const real: Record<string, { status: number; body: Json }> = {
      discover: await n8n.api('GET', '/discover'),
      audit: await n8n.api('POST', '/audit', {}),
      users: await n8n.api('GET', '/users?limit=250&includeRole=true'),
      workflows: await n8n.api('GET', '/workflows?limit=100&excludePinnedData=false'),
    };
    for (const [name, answer] of Object.entries(real)) {
      assert.equal(answer.status, recorded[name].status, name);
      assert.deepEqual(missingIn(recorded[name].body, answer.body, name), [], name);
    }
    const refused = await fetch(`${n8n.url}/api/v1/workflows`, { headers: { 'x-n8n-api-key': 'wrong' } });
    assert.equal(refused.status, recorded.unauthorized.status);
  });

  await t.test('a key without the right to operate makes no test workflow, and the status is at most DETECTED', async () => {
    const id = await register(n8n, { admin_access: 'READ' });
    const run = await verify(id);
    assert.deepEqual([run.holds.CANARY_NODE, run.holds.CANARY_EGRESS], [undefined, undefined]);
    const { body } = await n8n.api('GET', '/workflows?limit=250');
    assert.deepEqual(
      body.data.filter(({ name }: Json) => name.startsWith('svc-canary-')),
      [],
    );
  });

  await t.test('a governed action runs, is matched to its decision, and a refused one goes to the first output', async () => {
    const privateKey = governed.agent.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
    const credential = await n8n.api('POST', '/credentials', {
      ...{ name: 'agent', type: 'svcAgentApi' },
      data: { gatewayUrl: planes.gatewayUrl, agentId: governed.agent.id, keyGeneration: 1, privateKey },
    });
    assert.equal(credential.status, 200, JSON.stringify(credential.body));
    const [template] = cleanOnes(addresses);
    const body = structuredClone(template) as WorkflowBody;
    body.nodes[0] = {
      ...body.nodes[0],
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      webhookId: 'act',
      parameters: { path: 'act', httpMethod: 'POST', responseMode: 'lastNode', options: {} },
    };
    body.nodes[1].credentials = { svcAgentApi: { id: credential.body.id, name: 'agent' } };
    // Refused, Waiting and Permitted lead to a node each, so that the answer says which one ran.
    const ends = ['Refused', 'Waiting', 'Permitted'].map((name, at) => ({
      ...{ id: name, name, type: 'n8n-nodes-base.set', typeVersion: 1, position: [600, 100 * at] },
      parameters: { values: { string: [{ name: 'output', value: name }] }, options: {} },
    }));
    body.nodes = [body.nodes[0], body.nodes[1], ...ends];
    body.connections['Node 2'] = { main: ends.map(({ name }) => [{ node: name, type: 'main', index: 0 }]) };
    await store(n8n, body, true);
    const run = async (): Promise<Json> => {
      let answer: Response | undefined;
      await within('the webhook is there', async () => {
        answer = await fetch(`${n8n.url}/webhook/act`, { method: 'POST' });
        return answer.status !== 404;
      });
      return { status: answer?.status, ...((await answer?.json()) as object) };
    };
    const permitted = await run();
    assert.equal(permitted.output, 'Permitted', JSON.stringify(permitted));
    const action = await send('GET', `/v1/actions/${permitted.svc.action_id}`);
    assert.equal(action.agent_id, governed.agent.id);
    await activateRules(governed.tenant, 'no', [{ id: 'no', effect: 'BLOCK', reason: 'Not here.' }]);
    const refused = await run();
    assert.deepEqual([refused.output, refused.svc.code], ['Refused', 'ACTION_BLOCKED']);
    // The execution that was permitted matches the action that the gateway recorded.
    const { evidence } = await verify(await register(n8n, { admin_access: 'READ' }));
    assert.match(evidence.find(({ name }: Json) => name === 'EXECUTIONS').detail, /1 of 1 permitted items match/);
  });

  await t.test('a suspended execution continues only when the gateway has decided; events of the service resume it', async () => {
    const held = await newGoverned(planes, { rules: [{ id: 'held', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }] });
    const privateKey = held.agent.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
    const storeCredential = async (name: string, type: string, data: object): Promise<Json> => {
      const { status, body } = await n8n.api('POST', '/credentials', { name, type, data });
      assert.equal(status, 200, JSON.stringify(body));
      return { [type]: { id: body.id, name } };
    };
    const agent = { gatewayUrl: planes.gatewayUrl, agentId: held.agent.id, keyGeneration: 1, privateKey };
    const asks = structuredClone(cleanOnes(addresses)[0]) as WorkflowBody;
    asks.nodes[0] = {
      ...{ ...asks.nodes[0], type: 'n8n-nodes-base.webhook', typeVersion: 2, webhookId: 'suspend' },
      parameters: { path: 'suspend', httpMethod: 'POST', responseMode: 'onReceived', options: {} },
    };
    Object.assign(asks.nodes[1].parameters, { waitMode: 'suspend' });
    asks.nodes[1].credentials = await storeCredential('held', 'svcAgentApi', agent);
    const ends = ['Refused', 'Waiting', 'Permitted'].map((name, at) => ({
      ...{ id: name, name, type: 'n8n-nodes-base.noOp', typeVersion: 1, position: [600, 100 * at], parameters: {} },
    }));
    asks.nodes = [asks.nodes[0], asks.nodes[1], ...ends];
    asks.connections['Node 2'] = { main: ends.map(({ name }) => [{ node: name, type: 'main', index: 0 }]) };
    const workflow = await store(n8n, asks, true);
    const secret = 'whsec_of_this_suite';
    const listens = structuredClone(cleanOnes(addresses)[0]) as WorkflowBody;
    listens.nodes = [
      {
        ...{ ...listens.nodes[0], type: 'n8n-nodes-svc-governance.svcTrigger', webhookId: 'events', parameters: {} },
        credentials: await storeCredential('events', 'svcWebhookSecret', { secret }),
      },
      { ...ends[0], name: 'Node 2' },
    ];
    const connections = { 'Node 1': { main: [[{ node: 'Node 2', type: 'main', index: 0 }]] } };
    await store(n8n, { ...listens, connections, name: 'events' }, true);
    await within('it is started', async () => (await fetch(`${n8n.url}/webhook/suspend`, { method: 'POST' })).status === 200);
    const execution = async (): Promise<Json> => {
      const { body } = await n8n.api('GET', `/executions?workflowId=${workflow}&includeData=true&limit=1`);
      return body.data[0];
    };
    await within('it waits', async () => (await execution())?.status === 'waiting');
    const [{ id: approval }] = (await held.owner('GET', '/v1/approvals?status=PENDING')).json;
    const deliver = async (signedWith: string): Promise<Json> => {
      const event = { id: `evt_${randomUUID()}`, type: 'approval.approved', subject: { type: 'approval', id: approval }, data: {} };
      const [text, at] = [JSON.stringify(event), Math.floor(Date.now() / 1_000)];
      const v1 = createHmac('sha256', signedWith).update(`${at}.${text}`).digest('hex');
      const headers = {
        ...{ 'content-type': 'application/json', 'svc-signature': `t=${at},v1=${v1}`, 'svc-event-id': event.id },
        ...{ 'svc-event-type': event.type, 'svc-delivery-id': 'dlv_1', 'svc-delivery-attempt': '1' },
      };
      const response = await fetch(`${n8n.url}/webhook/events/svc`, { method: 'POST', headers, body: text });
      return { status: response.status, body: await response.json() };
    };
    await within('its trigger listens', async () => (await deliver('of another')).status !== 404);
    assert.equal((await deliver('of another')).status, 401);
    // An event that comes before the decision resumes nothing: the gateway is asked, and has not decided.
    assert.deepEqual((await deliver(secret)).body, { accepted: true, resumed: false });
    assert.equal((await execution()).status, 'waiting');
    const approved = await held.owner('POST', `/v1/approvals/${approval}/approve`, {});
    assert.equal(approved.status, 200, approved.text);
    assert.deepEqual((await deliver(secret)).body, { accepted: true, resumed: true });
    await within('it ended', async () => (await execution()).status === 'success');
    const { runData } = (await execution()).data.resultData;
    assert.deepEqual([runData.Refused, runData.Waiting], [undefined, undefined]);
    const [permitted] = runData.Permitted[0].data.main[0];
    assert.equal((await held.owner('GET', `/v1/actions/${permitted.json.svc.action_id}`)).json.agent_id, held.agent.id);
  });
});

test('a managed instance', async (t) => {
  const { agent } = governed;
  const port = await freePort();
  const id = await register(
    { url: `http://127.0.0.1:${port}` },
    { kind: 'WORKFLOW_AUTOMATION_MANAGED', agent_id: agent.id, admin_access: 'OPERATE', fail_closed: false },
  );
  const { files } = await send('GET', `/v1/runtimes/${id}/bundle`);
  const contentOf = (path: string): string => files.find((file: Json) => file.path === path).content;
  const archive = files.find((file: Json) => file.path.endsWith('.tar')).content;
  const lines = contentOf('n8n.env')
    .split('\n')
    .filter((line) => line.includes('='));
  const env = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
  const folder = process.env.TMPDIR ?? '/tmp';
  const [hook, key] = [join(folder, `svc-hook-${process.pid}.cjs`), join(folder, `svc-key-${process.pid}`)];
  writeFileSync(hook, contentOf('hook.cjs'));
  writeFileSync(key, agent.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'));
  // The network of a test machine is open: nothing listens at the address that is tried.
  const n8n = await startN8n({
    ...{ folder: FOLDER, databaseUrl: planes.database.url, database, port, archive },
    env: { ...env, EXTERNAL_HOOK_FILES: hook, SVC_AGENT_KEY_FILE: key, SVC_EGRESS_PROBE: '127.0.0.1:9' },
  });
  t.after(n8n.stop);
  await send('PUT', `/v1/runtimes/${id}/api-key`, { api_key: n8n.apiKey });

  await t.test('has the settings and the hook file of the bundle, and its test workflows are refused', async () => {
    const run = await verify(id);
    const { BUNDLE, HOOK_ALIVE, NETWORK, SETTINGS, CANARY_NODE, CANARY_EGRESS } = run.holds;
    assert.deepEqual(
      { BUNDLE, HOOK_ALIVE, NETWORK, SETTINGS, CANARY_NODE, CANARY_EGRESS },
      { BUNDLE: true, HOOK_ALIVE: true, NETWORK: true, SETTINGS: true, CANARY_NODE: true, CANARY_EGRESS: true },
      JSON.stringify(run.evidence, null, 1),
    );
    // People without a second factor cap it.
    assert.equal((await send('GET', `/v1/runtimes/${id}`)).enforcement.status, 'PARTIAL');
    const { body } = await n8n.api('GET', '/workflows?limit=250');
    assert.deepEqual(
      body.data.filter(({ name }: Json) => name.startsWith('svc-canary-')),
      [],
    );
  });

  await t.test('does not publish nodes that are not allowed, and stores no credential of another service', async () => {
    const [, direct] = bypasses({ gateway: planes.gatewayUrl, instance: n8n.url });
    const made = await n8n.api('POST', '/workflows', direct?.body);
    if (made.status === 200) assert.notEqual((await n8n.api('POST', `/workflows/${made.body.id}/activate`, {})).status, 200);
    const stored = await n8n.api('POST', '/credentials', { name: 'a', type: 'slackApi', data: { accessToken: 'x' } });
    assert.notEqual(stored.status, 200, JSON.stringify(stored.body));
  });

  await t.test('starts nothing once the runtime is paused', async () => {
    const [, , , header] = cleanOnes({ gateway: planes.gatewayUrl, instance: n8n.url });
    const body = structuredClone(header) as WorkflowBody;
    body.nodes[0].parameters = { path: 'started', httpMethod: 'POST', options: {} };
    await store(n8n, body, true);
    const start = async () => (await fetch(`${n8n.url}/webhook/started`, { method: 'POST' })).status;
    await within('it starts', async () => (await start()) === 200);
    await database.query("update runtimes set status = 'PAUSED' where id = $1", [id]);
    // The hook file keeps a permit for a minute.
    await within('it does not start', async () => (await start()) === 500);
    await database.query("update runtimes set status = 'ACTIVE' where id = $1", [id]);
  });
});
