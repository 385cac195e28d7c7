import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { MCP_ENV, type McpScene, newMcpScene } from '@svc/testing/agents/mcp-scene.ts';
import { echoTool } from '@svc/testing/peers/mcp-server.ts';
import { call } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

let planes: Planes;
const scenes: McpScene[] = [];
before(async () => {
  planes = await leasePlanes({ env: MCP_ENV });
});
after(async () => {
  await Promise.all(scenes.map((scene) => scene.close()));
  await planes.stop();
});

const newScene = async (...options: [Parameters<typeof newMcpScene>[1]?]): Promise<McpScene> => {
  const scene = await newMcpScene(planes, ...options);
  scenes.push(scene);
  return scene;
};

/** Sends a request without reading the response whole: streams are read to their end. */
const open = (scene: McpScene, message: object, headers: Record<string, string>, signal?: AbortSignal): Promise<Response> =>
  fetch(`${planes.gatewayUrl}${scene.path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${scene.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(message),
    ...(signal ? { signal } : {}),
  });
const stream = async (...asked: Parameters<typeof open>): Promise<string> => (await open(...asked)).text();

const LEGACY = { 'mcp-protocol-version': '2025-11-25' };
const callMessage = (name: string, given: object, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: given, ...more },
});
/** Returns the last message of a stream, or the only one of a JSON response. */
const readLast = (text: string) => {
  const lines = text.split('\n').filter((line) => line.startsWith('data: '));
  return JSON.parse(lines.length === 0 ? text : (lines.at(-1) ?? '').slice(6));
};

test('callMcpServer: a modern client discovers, lists and calls a tool, and the decision is recorded', async () => {
  const scene = await newScene();
  await scene.authorize('echo');
  const discovered = await scene.ask('server/discover');
  assert.deepEqual([discovered.status, discovered.json.result.supportedVersions], [200, ['2026-07-28']], discovered.text);
  const listed = await scene.ask('tools/list');
  assert.deepEqual([listed.json.result.resultType, listed.json.result.cacheScope], ['complete', 'private'], listed.text);
  assert.ok(listed.text.includes(JSON.stringify(echoTool('echo'))), 'the definition is passed on byte for byte');
  const called = await scene.ask('tools/call', { name: 'echo', arguments: { text: 'hello' } });
  const { result } = called.json;
  assert.deepEqual([called.status, result.structuredContent, result.isError], [200, { text: 'hello' }, undefined], called.text);
  const { action_id, decision } = result._meta['svc/decision'];
  assert.equal(decision, 'ALLOW');
  const action = (await scene.owner('GET', `/v1/actions/${action_id}`)).json;
  assert.deepEqual(
    [action.status, action.tool, action.parameters, action.agent_id],
    ['COMPLETED', 'test-server.echo', { text: 'hello' }, scene.agent.id],
  );
  const [event] = (await scene.owner('GET', '/v1/audit-events?type=mcp.tool_invoked')).json.data;
  assert.deepEqual([event.subject.id, event.data.server_id, event.data.name], [action_id, scene.serverId, 'echo']);
});

test('a legacy client initializes, lists, pings and calls without a session', async () => {
  const scene = await newScene({ era: 'LEGACY' });
  await scene.authorize('echo');
  const first = await scene.askLegacy('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'old', version: '1' },
  });
  assert.deepEqual([first.json.result.protocolVersion, first.headers.get('mcp-session-id')], ['2025-06-18', null], first.text);
  assert.deepEqual((await scene.askLegacy('ping')).json.result, {});
  const listed = await scene.askLegacy('tools/list');
  assert.deepEqual(
    listed.json.result.tools.map(({ name }: { name: string }) => name),
    ['echo'],
  );
  const called = await scene.askLegacy('tools/call', { name: 'echo', arguments: { text: 'old' } });
  assert.deepEqual(called.json.result.structuredContent, { text: 'old' }, called.text);
  assert.deepEqual((await scene.askLegacy('resources/list')).json.result.resources, []);
  const get = await call(planes.gatewayUrl, 'GET', scene.path, { token: scene.token });
  assert.equal(get.status, 405);
});

test('callMcpServers: the endpoint of all servers lists the tools of each under names of their own', async () => {
  const scene = await newScene();
  await scene.authorize('echo');
  const listed = await scene.ask('tools/list', {}, { path: '/gateway/v1/mcp' });
  assert.deepEqual(
    listed.json.result.tools.map(({ name }: { name: string }) => name),
    ['test-server__echo'],
    listed.text,
  );
  assert.deepEqual(listed.json.result._meta['svc/servers'], { 'test-server': { name: 'Test server', status: 'ACTIVE' } });
  const called = await scene.ask('tools/call', { name: 'test-server__echo', arguments: { text: 'all' } }, { path: '/gateway/v1/mcp' });
  assert.deepEqual(called.json.result.structuredContent, { text: 'all' }, called.text);
});

test('a tool that the agent may not call is unknown to it, and the attempt is recorded', async () => {
  const scene = await newScene();
  scene.peer.tools = [echoTool('echo'), echoTool('other')];
  await scene.authorize('echo');
  await scene.authorize('other', { agent_ids: [] });
  assert.deepEqual(
    (await scene.ask('tools/list')).json.result.tools.map(({ name }: { name: string }) => name),
    ['echo'],
  );
  for (const name of ['other', 'nothing']) {
    const { json } = await scene.ask('tools/call', { name, arguments: { text: 'x' } });
    assert.deepEqual([json.error.code, json.error.message], [-32_602, `Unknown tool: ${name}`]);
  }
  const { json: misspelt } = await scene.ask('tools/call', { name: 'ecko', arguments: { text: 'x' } });
  assert.equal(misspelt.error.message, 'Unknown tool: ecko. The nearest tool that you may use is echo.');
  const { json: hidden } = await scene.ask('tools/call', { name: 'othr', arguments: { text: 'x' } });
  assert.equal(hidden.error.message, 'Unknown tool: othr');
  const { data } = (await scene.owner('GET', '/v1/actions?status=BLOCKED')).json;
  assert.deepEqual(data.map(({ code }: { code: string }) => code).toSorted(), [
    ...['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'TOOL_NOT_AUTHORIZED'],
  ]);
  assert.equal(scene.peer.calls.length, 0);
});

test('a refusal is a result that states the code, the reason and the remedy', async () => {
  const scene = await newScene({ rules: [{ id: 'no', effect: 'BLOCK', reason: 'Not on Sundays.' }] });
  await scene.authorize('echo');
  const { status, json, text } = await scene.ask('tools/call', { name: 'echo', arguments: { text: 'x' } });
  assert.deepEqual([status, json.result.isError, json.result.structuredContent], [200, true, undefined], text);
  assert.match(json.result.content[0].text, /^ACTION_BLOCKED: Not on Sundays\. What to do: /);
  assert.equal(json.result._meta['svc/decision'].code, 'ACTION_BLOCKED');
  const bad = await scene.ask('tools/call', { name: 'echo', arguments: { text: 5 } });
  assert.match(bad.json.result.content[0].text, /^VALIDATION_FAILED: /);
  assert.equal(scene.peer.calls.length, 0);
});

test('an error of a tool is returned in its own words, and recorded as failed', async () => {
  const scene = await newScene();
  await scene.authorize('echo');
  scene.peer.behave = () => ({ isError: true, content: [{ type: 'text', text: 'No such issue.' }] });
  const { json } = await scene.ask('tools/call', { name: 'echo', arguments: { text: 'x' } });
  assert.deepEqual([json.result.isError, json.result.content[0].text], [true, 'No such issue.']);
  const action = (await scene.owner('GET', `/v1/actions/${json.result._meta['svc/decision'].action_id}`)).json;
  assert.deepEqual([action.status, action.code], ['FAILED', 'EXECUTION_FAILED']);
});

test('a quarantined, disabled or removed server is not called', async () => {
  const scene = await newScene();
  const tool = await scene.authorize('echo');
  const told = async () => (await scene.ask('tools/call', { name: 'echo', arguments: { text: 'x' } })).json;
  scene.peer.tools = [echoTool('echo', { description: 'Another.' })];
  await scene.discover();
  const quarantined = await told();
  assert.match(quarantined.result.content[0].text, /^MCP_SERVER_NOT_TRUSTED: The MCP server is quarantined/);
  assert.deepEqual((await scene.ask('tools/list')).json.result.tools, []);
  const server = `/v1/mcp/servers/${scene.serverId}`;
  const { pin } = (await scene.owner('GET', `${server}/tools/${tool.id}`)).json;
  await scene.owner('POST', `${server}/release`, { reason: 'fine', accept: [{ tool_id: tool.id, pin }] });
  assert.equal((await told()).result.isError, undefined);
  await scene.owner('POST', `${server}/disable`, { reason: 'stop' });
  assert.match((await told()).result.content[0].text, /^MCP_SERVER_NOT_TRUSTED: The MCP server is disabled/);
  await scene.owner('DELETE', server);
  assert.equal((await scene.ask('tools/list')).json.error?.data.code ?? (await scene.ask('tools/list')).status, 'NOT_FOUND');
  assert.equal(scene.peer.calls.length, 1);
});

test('an outdated listing stops calls until the server is listed again', async () => {
  const scene = await newScene();
  await scene.authorize('echo');
  const database = await planes.database.client();
  try {
    await database.query("update mcp_servers set listing_checked_at = now() - interval '16 minutes' where id = $1", [scene.serverId]);
    const old = await scene.ask('tools/call', { name: 'echo', arguments: { text: 'x' } });
    assert.match(old.json.result.content[0].text, /the last complete listing of the MCP server is too old/i);
    assert.equal((await scene.ask('tools/list')).json.result.tools.length, 1, 'an authorized tool stays listed');
    await scene.discover();
    assert.equal((await scene.ask('tools/call', { name: 'echo', arguments: { text: 'x' } })).json.result.isError, undefined);
  } finally {
    await database.end();
  }
});

test('a call that needs an approval is held, and the client sees only one slow call', async () => {
  const scene = await newScene({ rules: [{ id: 'ask', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }] });
  await scene.authorize('echo');
  const held = stream(scene, callMessage('echo', { text: 'held' }), LEGACY);
  let id = '';
  await waitUntil('it waits', async () => {
    const { json } = await scene.owner('GET', '/v1/approvals?status=PENDING');
    id = json[0]?.id ?? '';
    return id !== '';
  });
  const approved = await scene.owner('POST', `/v1/approvals/${id}/approve`, {});
  assert.equal(approved.status, 200, approved.text);
  const text = await held;
  assert.deepEqual(readLast(text).result.structuredContent, { text: 'held' }, text);
  assert.equal(scene.peer.calls.length, 1);
});

test('a held call with an idempotency key runs once after its approval, and a retry gets the same result', async () => {
  const scene = await newScene({ rules: [{ id: 'ask', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }] });
  await scene.authorize('echo');
  const ask = () => stream(scene, callMessage('echo', { text: 'once' }, { _meta: { 'svc/idempotency-key': 'key-1' } }), LEGACY);
  const held = ask();
  let id = '';
  await waitUntil('it waits', async () => {
    id = (await scene.owner('GET', '/v1/approvals?status=PENDING')).json[0]?.id ?? '';
    return id !== '';
  });
  await scene.owner('POST', `/v1/approvals/${id}/approve`, {});
  const [first, again] = [readLast(await held), readLast(await ask())];
  assert.deepEqual([first.result.structuredContent, again.result.structuredContent], [{ text: 'once' }, { text: 'once' }]);
  assert.equal(scene.peer.calls.length, 1);
});

test('without a timely approval the client gets instructions, and an identical call uses the approval once it is given', async () => {
  const scene = await newScene({ rules: [{ id: 'ask', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }] });
  await scene.authorize('echo');
  await scene.owner('PATCH', `/v1/mcp/servers/${scene.serverId}`, { settings: { hold_seconds: 0 } });
  const ask = (text: string) => scene.ask('tools/call', { name: 'echo', arguments: { text } });
  const first = await ask('later');
  assert.match(
    first.json.result.content[0].text,
    /^APPROVAL_REQUIRED: A person looks\. What to do: A person has to approve it.* Then call the same tool with the same arguments again/,
  );
  const approvalId = first.json.result._meta['svc/decision'].approval_id;
  const again = await ask('later');
  assert.equal(again.json.result._meta['svc/decision'].approval_id, approvalId, 'the identical call waits for the same approval');
  assert.equal((await scene.owner('GET', '/v1/approvals?status=PENDING')).json.length, 1);
  await scene.owner('POST', `/v1/approvals/${approvalId}/approve`, {});
  assert.deepEqual((await ask('later')).json.result.structuredContent, { text: 'later' });
  assert.match((await ask('later')).json.result.content[0].text, /^APPROVAL_REQUIRED/, 'one approval lets one call run');
  assert.equal(scene.peer.calls.length, 1);
});

test('one of fifty identical concurrent calls is executed by one approval, and all get its result', async () => {
  const scene = await newScene({ rules: [{ id: 'ask', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }] });
  await scene.authorize('echo');
  const held = Array.from({ length: 50 }, () => stream(scene, callMessage('echo', { text: 'many' }), LEGACY));
  // All of them are decided before a person approves; a call after the approval was used needs another one.
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const { json } = await scene.owner('GET', '/v1/approvals?status=PENDING');
  assert.equal(json.length, 1);
  const approved = await scene.owner('POST', `/v1/approvals/${json[0].id}/approve`, {});
  assert.equal(approved.status, 200, approved.text);
  const results = (await Promise.all(held)).map(readLast);
  assert.equal(scene.peer.calls.length, 1);
  // A gateway limits an organization's concurrent requests, and refuses the others.
  const answered = results.filter(({ error }) => error?.data.code !== 'RATE_LIMITED');
  assert.ok(answered.length >= 20, `${answered.length} were answered`);
  assert.deepEqual([...new Set(answered.map(({ result }) => JSON.stringify(result.structuredContent ?? result)))], ['{"text":"many"}']);
});

test('a denied approval is reported with its reason', async () => {
  const scene = await newScene({ rules: [{ id: 'ask', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }] });
  await scene.authorize('echo');
  await scene.owner('PATCH', `/v1/mcp/servers/${scene.serverId}`, { settings: { hold_seconds: 0 } });
  const ask = () => scene.ask('tools/call', { name: 'echo', arguments: { text: 'no' } });
  const id = (await ask()).json.result._meta['svc/decision'].approval_id;
  await scene.owner('POST', `/v1/approvals/${id}/deny`, { reason: 'Too risky.' });
  assert.match((await ask()).json.result.content[0].text, /^APPROVAL_NOT_GRANTED: /);
});

test('progress of the server reaches a client that requested it, before the result', async () => {
  const scene = await newScene();
  await scene.authorize('echo');
  scene.peer.behave = async (_received, response, id) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (message: object) => response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
    for (const progress of [1, 2, 3]) {
      send({ method: 'notifications/progress', params: { progressToken: 1, progress, total: 3 } });
      await new Promise((resolve) => setTimeout(resolve, 700));
    }
    send({ id, result: { resultType: 'complete', content: [{ type: 'text', text: 'done' }] } });
    response.end();
    return undefined;
  };
  const text = await stream(scene, callMessage('echo', { text: 'x' }, { _meta: { progressToken: 'mine' } }), LEGACY);
  assert.match(text, /"method":"notifications\/progress","params":\{"progressToken":"mine","progress":1,"total":3\}/);
  assert.equal(readLast(text).result.content[0].text, 'done');
});

test('a client that disconnects aborts the call, whose outcome is then unknown', async () => {
  const scene = await newScene();
  await scene.authorize('echo');
  let isClosed = false;
  scene.peer.behave = (_received, response) => {
    response.once('close', () => {
      isClosed = true;
    });
    return new Promise(() => undefined);
  };
  const leaving = new AbortController();
  const gone = stream(scene, callMessage('echo', { text: 'x' }), LEGACY, leaving.signal).catch(() => 'gone');
  await waitUntil('it is called', () => scene.peer.calls.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  leaving.abort();
  await gone;
  await waitUntil('the server notices', () => isClosed);
  await waitUntil('it is recorded', async () => (await scene.owner('GET', '/v1/actions?status=UNKNOWN')).json.data.length === 1);
});

test('the token of the agent never reaches a server, and the secret of its credential is in one header', async () => {
  const scene = await newScene();
  const { owner, tenant, peer, serverId } = scene;
  const secret = 'a-secret-of-the-server-itself';
  const { json: stored } = await owner('POST', '/v1/credentials', {
    ...{ name: 'Key', environment_id: tenant.environment_id, scheme: 'HEADER', placement: { header: 'x-key' } },
    ...{ destinations: [new URL(peer.url).host], servers: ['test-server'], secret },
  });
  await owner('PATCH', `/v1/mcp/servers/${serverId}`, { credential_id: stored.id });
  await scene.authorize('echo');
  peer.behave = ({ headers }) => ({ content: [{ type: 'text', text: `You sent ${headers['x-key']}` }] });
  const { json } = await scene.ask('tools/call', { name: 'echo', arguments: { text: 'x' } });
  assert.doesNotMatch(JSON.stringify(json), new RegExp(secret));
  assert.equal(peer.calls[0]?.headers['x-key'], secret);
  assert.equal(peer.calls[0]?.headers.authorization, undefined);
  assert.ok(!peer.received().includes(scene.token));
});

test('a malformed, silent or excessive server is reported in a sentence, within bounded time', async () => {
  const scene = await newScene();
  await scene.authorize('echo');
  await scene.owner('PATCH', `/v1/mcp/servers/${scene.serverId}`, { settings: { timeout_ms: 1_000 } });
  const ask = async () => (await scene.ask('tools/call', { name: 'echo', arguments: { text: 'x' } })).json.result;
  scene.peer.behave = (_received, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('nonsense');
  assert.match((await ask()).content[0].text, /^EXECUTION_FAILED: /);
  scene.peer.behave = () => ({ resultType: 'input_required', inputRequests: { a: { method: 'elicitation/create' } } });
  assert.match((await ask()).content[0].text, /asks for input from a person/);
  scene.peer.behave = () => ({ resultType: 'task', content: [] });
  assert.match((await ask()).content[0].text, /^EXECUTION_FAILED: .*type task/);
  scene.peer.behave = () => ({ content: [{ type: 'text', text: 'x'.repeat(2_000_000) }] });
  assert.match((await ask()).content[0].text, /^EXECUTION_/);
  scene.peer.behave = () => new Promise(() => undefined);
  const late = readLast(await stream(scene, callMessage('echo', { text: 'x' }), LEGACY));
  assert.match(late.result.content[0].text, /^EXECUTION_TIMEOUT: /);
});

test('protocol errors are refused as specified, before any decision', async () => {
  const scene = await newScene();
  await scene.authorize('echo');
  const raw = (message: unknown, headers: Record<string, string> = {}) =>
    call(planes.gatewayUrl, 'POST', scene.path, { token: scene.token, body: message, headers });
  const cases: readonly [string, Promise<{ status: number; json: { error: { code: number } } }>, number, number][] = [
    ['no JSON-RPC', raw({ hello: 1 }), 400, -32_600],
    ['a batch', raw([{ jsonrpc: '2.0', id: 1, method: 'ping' }]), 400, -32_600],
    [
      'no version in the body',
      raw({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }, { 'mcp-method': 'tools/list' }),
      400,
      -32_602,
    ],
    ['another method in the header', scene.ask('tools/list', {}, { headers: { 'mcp-method': 'tools/call' } }), 400, -32_020],
    ['another version in the header', scene.ask('tools/list', {}, { headers: { 'mcp-protocol-version': '2025-11-25' } }), 400, -32_020],
    [
      'another name in the header',
      scene.ask('tools/call', { name: 'echo', arguments: {} }, { headers: { 'mcp-name': 'other' } }),
      400,
      -32_020,
    ],
    [
      'an unknown version',
      scene.ask(
        'tools/list',
        { _meta: { 'io.modelcontextprotocol/protocolVersion': '2030-01-01' } },
        { headers: { 'mcp-protocol-version': '2030-01-01' } },
      ),
      400,
      -32_022,
    ],
    ['an unknown method', scene.ask('prompts/describe'), 404, -32_601],
    ['initialize as modern', scene.ask('initialize'), 404, -32_601],
  ];
  for (const [what, asking, status, code] of cases) {
    const answer = await asking;
    assert.deepEqual([answer.status, answer.json?.error?.code], [status, code], what);
  }
  const before = (await scene.owner('GET', '/v1/actions')).json.data.length;
  assert.equal(before, 0);
});

test('pages of other sites and foreign Host names are refused, and a request without a token gets a challenge', async () => {
  const scene = await newScene();
  await scene.authorize('echo');
  assert.equal((await scene.ask('tools/list', {}, { headers: { origin: 'https://evil.example' } })).status, 403);
  const anonymous = await call(planes.gatewayUrl, 'POST', scene.path, { body: { jsonrpc: '2.0', id: 1, method: 'ping' } });
  assert.deepEqual([anonymous.status, anonymous.headers.get('www-authenticate')?.startsWith('Bearer')], [401, true]);
});

test('an agent of another tenant sees no server, and a suspended agent gets the reason why it has no tools', async () => {
  const [scene, other] = [await newScene(), await newScene()];
  await scene.authorize('echo');
  const foreign = await scene.ask('tools/list', {}, { token: other.token });
  assert.equal(foreign.status, 404, foreign.text);
  const second = await newAgent(scene.tenant, { capabilities: ['pay'] });
  const token = await mintToken(planes.gatewayUrl, second);
  assert.deepEqual((await scene.ask('tools/list', {}, { token })).json.result.tools, []);
  await scene.owner('POST', `/v1/agents/${scene.agent.id}/suspend`, { reason: 'test' });
  const stopped = await scene.ask('tools/list');
  assert.notEqual(stopped.json?.result?.tools?.length, 0, stopped.text);
});
