import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { governServer } from '@svc/testing/agents/govern-mcp-server.ts';
import { MCP_ENV, type McpScene, newMcpScene } from '@svc/testing/agents/mcp-scene.ts';
import { echoTool, type FakeMcpServer, startMcpServer } from '@svc/testing/peers/mcp-server.ts';
import { call } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

const ALL = { path: '/gateway/v1/mcp' };

let planes: Planes;
const opened: { readonly close: () => Promise<void> }[] = [];
before(async () => {
  planes = await leasePlanes({ env: MCP_ENV });
});
after(async () => {
  await Promise.allSettled(opened.map(({ close }) => close()));
  await planes.stop();
});

const newScene = async (...options: [Parameters<typeof newMcpScene>[1]?]): Promise<McpScene> => {
  const scene = await newMcpScene(planes, ...options);
  opened.push(scene);
  return scene;
};

const newPeer = async (...options: Parameters<typeof startMcpServer>): Promise<FakeMcpServer> => {
  const peer = await startMcpServer(...options);
  opened.push(peer);
  return peer;
};

const callEcho = (scene: McpScene, name = 'echo', options = {}) => scene.ask('tools/call', { name, arguments: { text: 'x' } }, options);
const firstText = ({ json }: { readonly json: { readonly result: { readonly content: readonly { readonly text: string }[] } } }): string =>
  json.result.content[0]?.text ?? '';
const toolNames = ({ json }: { readonly json: { readonly result: { readonly tools: readonly { readonly name: string }[] } } }) =>
  json.result.tools.map(({ name }) => name);

/** Definitions that gateways are known to rewrite or to truncate. */
const DEFINITIONS = [
  {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { a: { type: 'string' } },
    additionalProperties: false,
  },
  { type: 'object', properties: { a: { $ref: '#/definitions/A' } }, definitions: { A: { type: 'integer' } } },
  { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { type: 'integer' } } },
  { type: 'object', properties: { a: { type: ['string', 'null'], enum: ['x', null], enumNames: ['X', 'none'] } } },
  { type: 'object', properties: { a: { anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }], default: null } } },
  { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'A' } }, required: ['a'] },
  { required: ['b'], properties: { b: { description: 'é 世界 \u2028', type: 'number' } }, type: 'object' },
];

const OUTPUT = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };

describe('MCP servers behind the gateway', { concurrency: true }, () => {
  test('definitions reach clients byte for byte, with every keyword of their schemas', async () => {
    const scene = await newScene();
    scene.peer.tools = DEFINITIONS.map((inputSchema, at) => ({
      name: `t${at}`,
      inputSchema,
      outputSchema: OUTPUT,
      annotations: { readOnlyHint: true },
    }));
    for (const { name } of scene.peer.tools) await scene.authorize(String(name));
    const { text } = await scene.ask('tools/list');
    for (const tool of scene.peer.tools) assert.ok(text.includes(JSON.stringify(tool)), JSON.stringify(tool));
  });

  test('returns results whether or not they fit the output schema, and the text of an error', async () => {
    const scene = await newScene();
    scene.peer.tools = [echoTool('echo', { outputSchema: OUTPUT })];
    await scene.authorize('echo');
    const results = [
      { content: [{ type: 'text', text: 'No such row.' }], isError: true },
      { content: [{ type: 'text', text: 'Without structured content.' }] },
      { content: [{ type: 'text', text: '{"n":"many"}' }], structuredContent: { n: 'many' } },
      { content: [], structuredContent: { n: 1 } },
    ];
    for (const result of results) {
      scene.peer.behave = () => result;
      const { _meta, resultType, ...passed } = (await callEcho(scene)).json.result;
      assert.deepEqual(passed, result);
    }
  });

  test('a server that does not answer leaves the other servers usable and its own tools listed', async () => {
    const scene = await newScene();
    await scene.authorize('echo');
    const dead = await newPeer();
    await governServer(scene, dead.url, { name: 'Dead' });
    await dead.close();
    const listed = await scene.ask('tools/list', {}, ALL);
    assert.deepEqual(toolNames(listed), ['dead__echo', 'test-server__echo']);
    assert.deepEqual(Object.keys(listed.json.result._meta['svc/servers']).toSorted(), ['dead', 'test-server']);
    assert.equal((await callEcho(scene, 'test-server__echo', ALL)).json.result.isError, undefined);
    const unreached = await callEcho(scene, 'dead__echo', ALL);
    assert.equal(unreached.json.result.isError, true);
    assert.match(firstText(unreached), /^EXECUTION_FAILED: /);
  });

  test('a failed call does not mark its server as unreachable', async () => {
    const scene = await newScene();
    await scene.authorize('echo');
    scene.peer.behave = (_received, response) => void response.writeHead(500).end();
    assert.match(firstText(await callEcho(scene)), /^EXECUTION_FAILED: /);
    scene.peer.behave = () => ({ content: [{ type: 'text', text: 'Again.' }] });
    const server = (await scene.owner('GET', `/v1/mcp/servers/${scene.serverId}`)).json;
    assert.deepEqual([server.status, server.listing_failure], ['ACTIVE', null]);
    assert.equal(firstText(await callEcho(scene)), 'Again.');
  });

  test('reports a server that starts to require a credential in each call, and keeps its tools listed', async () => {
    const scene = await newScene();
    await scene.authorize('echo');
    scene.peer.before = (_headers, response) => {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      return true;
    };
    const { json, status, headers } = await callEcho(scene);
    assert.deepEqual([status, headers.get('www-authenticate'), json.result.isError], [200, null, true]);
    assert.match(json.result.content[0].text, /^EXECUTION_FAILED: .*refused the credential \(status 401\)/);
    assert.deepEqual(toolNames(await scene.ask('tools/list')), ['echo']);
  });

  test('an unknown tool and an ungranted tool do not require another sign-in', async () => {
    const scene = await newScene({ rules: [{ id: 'no', effect: 'BLOCK', reason: 'No.' }] });
    scene.peer.tools = [echoTool('echo'), echoTool('other')];
    await scene.authorize('echo');
    await scene.authorize('other', { agent_ids: [] });
    for (const name of ['echo', 'other', 'nothing']) {
      const { status, headers } = await callEcho(scene, name);
      assert.ok(status !== 401 && status !== 403, `${name} answers ${status}`);
      assert.equal(headers.get('www-authenticate'), null);
    }
  });

  test('the same token calls only what it may at each server', async () => {
    const scene = await newScene();
    await scene.authorize('echo');
    const second = await newPeer();
    const other = await governServer(scene, second.url, { name: 'Second' });
    const [tool] = (await scene.owner('GET', `/v1/mcp/servers/${other.serverId}/tools`)).json;
    const removed = await scene.owner('DELETE', `/v1/tools/${tool.tool_id}/agents/${scene.agent.id}`);
    assert.ok(removed.status < 300, removed.text);
    const there = { path: `/gateway/v1/mcp/${other.serverId}` };
    assert.deepEqual(toolNames(await scene.ask('tools/list', {}, there)), []);
    assert.equal((await callEcho(scene, 'echo', there)).json.error.code, -32_602);
    assert.equal(second.calls.length, 0);
    assert.equal((await callEcho(scene)).json.result.isError, undefined);
  });

  test('a revoked credential is reported before anything is sent', async () => {
    const scene = await newScene();
    const { owner, tenant, peer, serverId } = scene;
    const { json: stored } = await owner('POST', '/v1/credentials', {
      ...{ name: 'Key', environment_id: tenant.environment_id, scheme: 'BEARER', destinations: [new URL(peer.url).host] },
      ...{ servers: ['test-server'], secret: 'a-secret-that-goes-away' },
    });
    await owner('PATCH', `/v1/mcp/servers/${serverId}`, { credential_id: stored.id });
    await scene.authorize('echo');
    assert.equal((await callEcho(scene)).json.result.isError, undefined);
    const before = peer.calls.length;
    const revoked = await owner('POST', `/v1/credentials/${stored.id}/revoke`, { reason: 'test' });
    assert.equal(revoked.status, 200, revoked.text);
    const { json } = await callEcho(scene);
    assert.equal(json.result.isError, true);
    assert.match(json.result.content[0].text, /^[A-Z_]*CREDENTIAL[A-Z_]*: /);
    // The gateway also lists the tools in the background, which is no call.
    assert.equal(peer.calls.length, before);
  });

  test('a moved server is called at its new address alone', async () => {
    const scene = await newScene();
    await scene.authorize('echo');
    const moved = await newPeer();
    const patched = await scene.owner('PATCH', `/v1/mcp/servers/${scene.serverId}`, { transport: { type: 'HTTP', url: moved.url } });
    assert.deepEqual([patched.status, patched.json.status], [200, 'PENDING'], patched.text);
    assert.match(firstText(await callEcho(scene)), /^MCP_SERVER_NOT_TRUSTED: /);
    await scene.authorize('echo');
    assert.equal((await callEcho(scene)).json.result.isError, undefined);
    assert.deepEqual([scene.peer.calls.length, moved.calls.length], [0, 1]);
  });

  test('a long call keeps its connection in use, and ends with the result', async () => {
    const scene = await newScene();
    await scene.authorize('echo');
    scene.peer.behave = async () => {
      await new Promise((resolve) => setTimeout(resolve, 12_000));
      return { content: [{ type: 'text', text: 'Late.' }] };
    };
    const response = await fetch(`${planes.gatewayUrl}${scene.path}`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${scene.token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text: 'x' } } }),
    });
    const text = await response.text();
    assert.equal(text.split('\n').filter((line) => line.startsWith(':')).length, 2, text);
    assert.match(text, /"text":"Late\."/);
  });

  test('progress of a call that ends at once reaches the client', async () => {
    const scene = await newScene();
    await scene.authorize('echo');
    scene.peer.behave = (_received, response, id) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = (message: object) => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
      send({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
      send({ id, result: { resultType: 'complete', content: [] } });
      response.end();
      return undefined;
    };
    const response = await fetch(`${planes.gatewayUrl}${scene.path}`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${scene.token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'echo', arguments: { text: 'x' }, _meta: { progressToken: 'p' } },
      }),
    });
    assert.match(await response.text(), /"progressToken":"p","progress":1/);
  });

  test('a header may repeat an argument in base64, which must then be valid', async () => {
    const scene = await newScene();
    const text = { type: 'string', 'x-mcp-header': 'Text' };
    scene.peer.tools = [echoTool('echo', { inputSchema: { type: 'object', properties: { text }, required: ['text'] } })];
    await scene.authorize('echo');
    const ask = (header: string | undefined) =>
      callEcho(scene, 'echo', { headers: header === undefined ? {} : { 'mcp-param-text': header } });
    for (const header of ['x', '=?base64?eA==?=']) assert.equal((await ask(header)).json.result?.isError, undefined, header);
    for (const header of [undefined, 'y', '=?base64?eA?=', '=?base64?e*A==?=']) {
      const { status, json } = await ask(header);
      assert.deepEqual([status, json.error?.code], [400, -32_020], header);
    }
    assert.equal(scene.peer.calls.length, 2);
  });

  test('a legacy request with the headers of a newer revision is legacy', async () => {
    const scene = await newScene();
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'old', version: '1' } };
    const { status, json } = await scene.askLegacy('initialize', params, { headers: { 'mcp-method': 'initialize' } });
    assert.deepEqual([status, json.result?.protocolVersion], [200, '2025-11-25']);
  });

  test('any gateway answers any request of a legacy client', async () => {
    const scene = await newScene({ era: 'LEGACY' });
    await scene.authorize('echo');
    for (let at = 0; at < 6; at += 1) {
      const { json, text } = await scene.askLegacy('tools/call', { name: 'echo', arguments: { text: `${at}` } }, { gateway: at % 2 });
      assert.deepEqual(json?.result?.structuredContent, { text: `${at}` }, text);
    }
    const get = await call(planes.gatewayUrl, 'DELETE', scene.path, { token: scene.token });
    assert.equal(get.status, 405);
  });

  test('omits pages of a server from definitions, in any spelling of their member', async () => {
    const scene = await newScene();
    await scene.authorize('echo');
    const database = await planes.database.client();
    const ask = async (meta: string): Promise<string> => {
      const definition = JSON.stringify(echoTool('echo')).replace(/\}$/, `,${meta}}`);
      await database.query('update mcp_tools set authorized_definition = $2 where server_id = $1', [scene.serverId, definition]);
      return (await scene.ask('tools/list')).text;
    };
    try {
      const pages = ['"ui":{"resourceUri":"ui://x"}', '"ui/resourceUri":"ui://x"', '"openai/outputTemplate":"ui://x"'];
      for (const name of ['_meta', '\\u005fmeta'])
        for (const page of pages) assert.doesNotMatch(await ask(`"${name}":{"kept":1,${page}}`), /ui:\/\/x/, `${name} ${page}`);
      const kept = `"_meta":{"kept" : 1}`;
      assert.ok((await ask(kept)).includes(kept), 'a definition without a page stays as it is');
    } finally {
      await database.end();
    }
  });

  test('omits pages of a server from results, and the decision on the call is the one of this service', async () => {
    const scene = await newScene();
    await scene.authorize('echo');
    const _meta = { ui: { resourceUri: 'ui://x' }, 'openai/outputTemplate': 'ui://x', 'svc/decision': { decision: 'BLOCK' }, kept: 1 };
    scene.peer.behave = () => ({ content: [], _meta });
    const { result } = (await callEcho(scene)).json;
    const { 'svc/decision': decided, ...rest } = result._meta;
    assert.deepEqual([rest, decided.decision], [{ kept: 1 }, 'ALLOW']);
  });

  test('a session that was opened with one credential is not used with another', async () => {
    const scene = await newScene({ era: 'LEGACY' });
    const { owner, tenant, peer, serverId } = scene;
    const use = async (name: string) => {
      const { json: stored } = await owner('POST', '/v1/credentials', {
        ...{ name, environment_id: tenant.environment_id, scheme: 'BEARER', destinations: [new URL(peer.url).host] },
        ...{ servers: ['test-server'], secret: `the-secret-of-${name}` },
      });
      await owner('PATCH', `/v1/mcp/servers/${serverId}`, { credential_id: stored.id });
      await scene.authorize('echo');
      const { text, json } = await callEcho(scene);
      assert.equal(json.result.isError, undefined, text);
      return peer.calls.at(-1)?.headers['mcp-session-id'];
    };
    assert.notEqual(await use('one'), await use('two'));
  });
});
