import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { mustCall } from '@svc/testing/people/client.ts';
import { openSvc, type StartedSvc, type Svc } from '@svc/testing/processes/open-svc.ts';
import { createScene } from '@svc/testing/scene/scene.ts';
import { ADVERSARIAL_SERVER } from './adversarial-server.fixture.ts';

const require = createRequire(import.meta.url);
const MEMORY = require.resolve('@modelcontextprotocol/server-memory/dist/index.js');

const at = createScene({ steppedUp: true });
let svc: Svc;
let agentId: string;
let keyFile: string;
let server: string;

const control = (method: string, path: string, body?: object) =>
  mustCall(at.planes.controlUrl, method, path, { token: at.tenant.token, ...(body === undefined ? {} : { body }) });

const person = () => ({ SVC_URL: at.planes.controlUrl, SVC_TOKEN: at.tenant.token });
const agentOptions = () => ['--agent', agentId, '--key-file', keyFile, '--gateway', at.planes.gatewayUrl];

const RULES = [
  { id: 'all', effect: 'ALLOW', when: { field: 'agent.id', op: 'exists' }, reason: 'Permitted here.' },
  { id: 'no-password', effect: 'BLOCK', reason: 'No passwords.', when: { field: 'parameters.text', op: 'eq', value: 'password' } },
  { id: 'held', effect: 'REQUIRE_APPROVAL', reason: 'A person reads it.', when: { field: 'parameters.text', op: 'eq', value: 'held' } },
  {
    ...{ id: 'masked', effect: 'MASK', reason: 'Numbers are hidden.', mask: { parameters: ['number'], result: ['number'] } },
    when: { field: 'parameters.text', op: 'eq', value: 'masked' },
  },
];

const allowAll = async (): Promise<void> => {
  const policy = await control('POST', '/v1/policies', {
    name: 'Local servers',
    binding: { scope: 'ENVIRONMENT', id: at.tenant.environment_id },
    rules: RULES,
    tests: [{ name: 'others', given: { 'parameters.text': 'x', 'agent.id': 'agt_1' }, then: { effect: 'ALLOW', rule: 'all' } }],
  });
  await control('POST', `/v1/policies/${policy.id}/activate`, { version_id: policy.versions[0].version_id, reason: 'Test.' });
};

at.before(async () => {
  svc = openSvc();
  keyFile = join(svc.folder, 'agent.key');
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const { environment_id, workspace_id } = at.tenant;
  const made = await control('POST', '/v1/agents', {
    ...{ name: 'desktop', environment_id, workspace_id, capabilities: [], public_key: publicKey.export({ type: 'spki', format: 'pem' }) },
  });
  agentId = made.data.agent.id;
  server = join(svc.folder, 'server.mjs');
  writeFileSync(server, ADVERSARIAL_SERVER);
  await allowAll();
  for (const [prefix, file] of [
    ['test.', server],
    ['memory.', MEMORY],
  ] as const) {
    const registered = await svc.run(['mcp', 'register', '--prefix', prefix, '--agent', agentId, '--yes', '--', process.execPath, file], {
      env: person(),
    });
    assert.equal(registered.code, 0, registered.stderr);
  }
});
after(() => svc.remove());

type Proxy = StartedSvc & {
  readonly send: (id: number, method: string, params?: object) => void;
  // biome-ignore lint/suspicious/noExplicitAny: messages of any shape
  readonly answer: (id: number | string) => Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: messages of any shape
  readonly call: (id: number, name: string, given?: object) => Promise<any>;
};

const newProxy = (command: readonly string[], options: readonly string[] = []): Proxy => {
  const proxy = svc.start(['mcp', 'proxy', ...agentOptions(), ...options, ...(command.length === 0 ? [] : ['--', ...command])], {
    env: { SVC_TOKEN: 'svc_key_of_a_person', SVC_PASSWORD: 'hunter2', MEMORY_FILE_PATH: join(svc.folder, 'memory.jsonl') },
  });
  const send: Proxy['send'] = (id, method, params = {}) => proxy.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  const answer: Proxy['answer'] = async (id) => JSON.parse(await proxy.line(new RegExp(`"id":${JSON.stringify(id)}[,}]`)));
  return {
    ...proxy,
    send,
    answer,
    call: (id, name, given = {}) => {
      send(id, 'tools/call', { name, arguments: given });
      return answer(id);
    },
  };
};

const initialize = async (proxy: Proxy): Promise<Readonly<Record<string, unknown>>> => {
  proxy.send(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: { sampling: {} }, clientInfo: { name: 'c', version: '1' } });
  const { result } = await proxy.answer(1);
  proxy.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return result;
};

const within = async (command: readonly string[], options: readonly string[], work: (proxy: Proxy) => Promise<void>): Promise<void> => {
  const proxy = newProxy(command, options);
  try {
    await work(proxy);
  } finally {
    await proxy.stop();
  }
};

const adversarial = (...words: readonly string[]) => [process.execPath, server, ...words];
const PREFIX = ['--prefix', 'test.'];
const readText = (message: { readonly result: { readonly content: readonly { readonly text: string }[] } }) =>
  message.result.content[0]?.text ?? '';

test('a permitted call reaches the server and its outcome is recorded; a refused one does not reach it', async () => {
  await within([process.execPath, MEMORY], ['--prefix', 'memory.'], async (proxy) => {
    await initialize(proxy);
    proxy.send(2, 'tools/list');
    const names = (await proxy.answer(2)).result.tools.map(({ name }: { name: string }) => name);
    assert.ok(names.includes('create_entities') && names.includes('read_graph'), names.join());
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['writes programs'] }];
    assert.equal((await proxy.call(3, 'create_entities', { entities })).result.isError, undefined);
    assert.match(readText(await proxy.call(4, 'read_graph')), /writes programs/);
  });
  await within(adversarial(), PREFIX, async (proxy) => {
    await initialize(proxy);
    assert.match(readText(await proxy.call(2, 'say', { text: 'hello' })), /^said {"text":"hello"}/);
    const refused = await proxy.call(3, 'say', { text: 'password' });
    assert.equal(refused.result.isError, true);
    assert.match(readText(refused), /^ACTION_BLOCKED: No passwords\. What to do: .+act_/);
    assert.equal((await proxy.call(4, 'lie')).result.isError, true);
    assert.ok(!proxy.said().includes('said {"text":"password"}'));
    assert.ok(!proxy.said().includes('hunter2') && !proxy.said().includes('svc_key_of_a_person'));
  });
  const { data } = await control('GET', '/v1/actions?limit=10');
  const statuses = data.map(({ tool, status }: { tool: string; status: string }) => `${tool} ${status}`);
  for (const expected of ['test.say COMPLETED', 'test.say BLOCKED', 'test.lie FAILED', 'memory.read_graph COMPLETED'])
    assert.ok(statuses.includes(expected), `${expected} is not among ${statuses.join(', ')}`);
});

test('the server gets no credential of the person or of the agent', async () => {
  await within(adversarial(), PREFIX, async (proxy) => {
    await initialize(proxy);
    const said = readText(await proxy.call(2, 'say'));
    assert.ok(!/SVC_TOKEN|SVC_PASSWORD|SVC_AGENT_KEY/.test(said), said);
  });
});

test('a call that needs an approval waits for it, and the same call uses it once', async () => {
  await within(adversarial(), [...PREFIX, '--hold', '1s'], async (proxy) => {
    await initialize(proxy);
    const held = await proxy.call(2, 'say', { text: 'held' });
    assert.match(readText(held), /^APPROVAL_REQUIRED: .+ same tool with the same arguments again/);
    const { approval_id } = held.result._meta['svc/decision'];
    const again = await proxy.call(3, 'say', { text: 'held' });
    assert.equal(again.result._meta['svc/decision'].approval_id, approval_id, 'an identical call attaches to the approval');
    await control('POST', `/v1/approvals/${approval_id}/approve`, {});
    assert.match(readText(await proxy.call(4, 'say', { text: 'held' })), /^said {"text":"held"}/);
    const third = await proxy.call(5, 'say', { text: 'held' });
    assert.match(readText(third), /^APPROVAL_REQUIRED/);
    assert.notEqual(third.result._meta['svc/decision'].approval_id, approval_id);
  });
});

test('what rules mask is hidden from the server, and in every part of a result that repeats it', async () => {
  await within(adversarial(), PREFIX, async (proxy) => {
    await initialize(proxy);
    const { result } = await proxy.call(2, 'twice', { text: 'masked', number: '4711' });
    assert.ok(!JSON.stringify(result).includes('0815'), JSON.stringify(result));
    assert.equal(result.structuredContent.given.number, '[masked]');
  });
});

test('tools are listed byte for byte, and only those that the agent may call with the definition that was accepted', async () => {
  const listed = async (...words: readonly string[]): Promise<string> => {
    let line = '';
    await within(adversarial(...words), PREFIX, async (proxy) => {
      await initialize(proxy);
      proxy.send(2, 'tools/list');
      line = await proxy.line(/"id":2/);
      if (words.length > 0) assert.match(readText(await proxy.call(3, 'say')), /^MCP_SERVER_NOT_TRUSTED/);
    });
    return line;
  };
  assert.match(await listed(), /{"name":"say","description":"Says it.","inputSchema":{"type":"object"}}/);
  assert.deepEqual(JSON.parse(await listed('changed')).result.tools, []);
});

test('a changed definition is not called before it is listed either', async () => {
  await within(adversarial('changed'), PREFIX, async (proxy) => {
    await initialize(proxy);
    assert.match(readText(await proxy.call(2, 'say')), /^MCP_SERVER_NOT_TRUSTED/);
  });
});

test('resources and requests to the client are refused unless they are allowed', async () => {
  await within(adversarial(), PREFIX, async (proxy) => {
    assert.deepEqual((await initialize(proxy)).capabilities, { tools: {} });
    proxy.send(2, 'resources/read', { uri: 'x' });
    assert.equal((await proxy.answer(2)).error.code, -32_601);
    assert.match(readText(await proxy.call(3, 'sample')), /sampling: .*-32601/);
    assert.ok(!proxy.said().includes('sampling/createMessage","params'));
  });
  await within(adversarial(), [...PREFIX, '--allow', 'resources'], async (proxy) => {
    assert.deepEqual((await initialize(proxy)).capabilities, { tools: {}, resources: {} });
    proxy.send(2, 'resources/read', { uri: 'x' });
    assert.equal((await proxy.answer(2)).result.contents[0].text, 'secret');
  });
});

test('an answer that no request waits for is dropped', async () => {
  await within(adversarial(), PREFIX, async (proxy) => {
    await initialize(proxy);
    await proxy.call(2, 'forge');
    assert.match(readText(await proxy.call(1000, 'say', { text: 'password' })), /^ACTION_BLOCKED/);
    assert.ok(!proxy.said().includes('forged'));
  });
});

test('a server that ends or does not answer leaves an outcome that is not known', async () => {
  await within(adversarial(), [...PREFIX, '--timeout', '1s'], async (proxy) => {
    await initialize(proxy);
    assert.match(readText(await proxy.call(2, 'hang')), /^EXECUTION_TIMEOUT: .+outcome is unknown/);
    assert.match(readText(await proxy.call(3, 'crash')), /^EXECUTION_TIMEOUT: The server ended/);
  });
  const { data } = await control('GET', '/v1/actions?limit=5');
  for (const { tool, status } of data.filter((action: { tool: string }) => /hang|crash/.test(action.tool)))
    assert.ok(!['COMPLETED', 'FAILED'].includes(status), `${tool} ${status}`);
});

test('a line that exceeds the limit ends the proxy', async () => {
  await within(adversarial(), PREFIX, async (proxy) => {
    await initialize(proxy);
    proxy.send(2, 'tools/call', { name: 'flood', arguments: {} });
    await proxy.line(/A message of the server exceeds 16 MiB/);
  });
});

test('nothing reaches the server if the gateway cannot be reached', async () => {
  const closed = createServer();
  await new Promise<void>((listening) => closed.listen(0, '127.0.0.1', listening));
  const address = closed.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  closed.close();
  await within(adversarial(), [...PREFIX, '--gateway', `http://127.0.0.1:${port}`], async (proxy) => {
    await initialize(proxy);
    const refused = await proxy.call(2, 'say', { text: 'hello' });
    assert.equal(refused.result.isError, true);
    assert.match(readText(refused), /GATEWAY_UNREACHABLE|TIMED_OUT/);
    assert.ok(!proxy.said().includes('said {'));
  });
});

test('a command that cannot be started exits with 2 and names it', async () => {
  const run = await svc.run(['mcp', 'proxy', ...agentOptions(), '--', 'no-such-program-here', '--token', 'hunter2'], {});
  assert.equal(run.code, 2);
  assert.match(run.stderr, /"no-such-program-here" cannot be started/);
  assert.ok(!run.stderr.includes('hunter2'));
});

test('no server outlives a proxy that is killed with SIGKILL', async () => {
  const proxy = newProxy(adversarial(), PREFIX);
  await initialize(proxy);
  const pid = Number(/pid (\d+)/.exec(await proxy.line(/pid \d+/))?.[1]);
  await proxy.stop();
  const gone = spawn('/bin/sh', ['-c', `for i in $(seq 100); do kill -0 ${pid} 2>/dev/null || exit 0; sleep 0.1; done; exit 1`]);
  assert.equal(await new Promise((done) => gone.once('exit', done)), 0);
});
