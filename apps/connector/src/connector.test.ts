import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { newGovernedServer } from '@svc/testing/agents/govern-mcp-server.ts';
import { MCP_ENV } from '@svc/testing/agents/mcp-scene.ts';
import { call } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { SECRET, type StartedConnector, startConnector } from './start-connector.fixture.ts';

const require = createRequire(import.meta.url);
const PROGRAMS = {
  everything: require.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
  filesystem: require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
  memory: require.resolve('@modelcontextprotocol/server-memory/dist/index.js'),
} as const;
const modules = dirname(dirname(dirname(dirname(PROGRAMS.memory))));
const node = process.execPath;

const LIMITED = `
const { createInterface } = require('node:readline');
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {}, resources: {} }, serverInfo: { name: 'x', version: '1' } } });
  if (method !== 'tools/call') return;
  if (params.name === 'hang') return;
  if (params.name === 'crash') process.exit(3);
  if (params.name === 'flood') return process.stdout.write('x'.repeat(100000));
  say({ id, result: { content: [{ type: 'text', text: JSON.stringify({ pid: process.pid, env: Object.keys(process.env).sort(), own: process.env.OWN ?? null }) }] } });
});
`;

const local = (more: object = {}) => ({ command: node, args: ['-e', LIMITED], sandbox: 'NONE', ...more });
const callTool = (name: string) => ({ method: 'tools/call', params: { name, arguments: {} } });

const started: StartedConnector[] = [];
const start = async (servers: Readonly<Record<string, object>>, env: Readonly<Record<string, string>> = {}): Promise<StartedConnector> => {
  const connector = await startConnector(servers, env);
  started.push(connector);
  return connector;
};
after(async () => {
  await Promise.all(started.map(({ stop }) => stop()));
});

// biome-ignore lint/suspicious/noExplicitAny: facts that the server states about itself
const readFacts = async (response: Response): Promise<any> => {
  const { result } = (await response.json()) as { readonly result: { readonly content: readonly { readonly text: string }[] } };
  return JSON.parse(result.content[0]?.text ?? '{}');
};

const isAlive = (pid: number): boolean => spawnSync('kill', ['-0', String(pid)]).status === 0;
const untilGone = async (pid: number): Promise<void> => {
  for (let tries = 0; tries < 200 && isAlive(pid); tries += 1) await new Promise((done) => setTimeout(done, 50));
  assert.ok(!isAlive(pid), `${pid} is still running`);
};

describe('through the gateway', () => {
  let planes: Planes;
  before(async () => {
    planes = await leasePlanes({ env: MCP_ENV });
  });
  after(() => planes?.stop());

  test('servers of npm answer through gateway and connector, and the gateway decides their calls', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'files-'));
    writeFileSync(join(folder, 'a.txt'), 'hello from a file');
    const connector = await start(
      {
        everything: { command: node, args: [PROGRAMS.everything], sandbox: 'NONE' },
        files: { command: node, args: [PROGRAMS.filesystem, folder], sandbox: 'NONE' },
        memory: { command: node, args: [PROGRAMS.memory], sandbox: 'NONE', env: ['MEMORY_FILE_PATH'] },
      },
      { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
    );
    try {
      const rules = [
        { id: 'allow', effect: 'ALLOW', reason: 'Allowed here.' },
        { id: 'block', effect: 'BLOCK', reason: 'Not that.', when: { field: 'parameters.message', op: 'eq', value: 'secret' } },
      ];
      const tests = [{ name: 'others', given: { 'parameters.message': 'x' }, then: { effect: 'ALLOW' } }];
      const governed = async (server: string) => {
        const { url, token } = await newGovernedServer(planes, connector.url(server), { rules, tests, secret: SECRET });
        return async (name: string, given: object): Promise<string> => {
          const { pathname, origin } = new URL(url);
          const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
          const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };
          // A slow answer is a stream of events.
          return (await call(origin, 'POST', pathname, { token, body, headers })).text;
        };
      };
      const everything = await governed('everything');
      assert.match(await everything('echo', { message: 'hello' }), /Echo: hello/);
      assert.match(await everything('echo', { message: 'secret' }), /ACTION_BLOCKED/);
      const files = await governed('files');
      assert.match(await files('read_text_file', { path: join(folder, 'a.txt') }), /hello from a file/);
      const memory = await governed('memory');
      await memory('create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: ['writes'] }] });
      assert.match(await memory('read_graph', {}), /Ada/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

test('refuses requests without the secret, of browsers, and of other methods and addresses', async () => {
  const { send, url } = await start({ local: local() });
  const ping = { method: 'ping' };
  assert.equal((await send('local', ping, { authorization: 'Bearer wrong' })).status, 401);
  assert.equal((await send('local', ping, { authorization: '' })).status, 401);
  assert.equal((await send('other', ping, { authorization: 'Bearer wrong' })).status, 401, 'names are not revealed');
  assert.equal((await send('local', ping, { origin: 'https://site.example' })).status, 403);
  assert.equal((await send('other', ping)).status, 404);
  assert.equal((await send('local', ping, { 'content-type': 'text/plain' })).status, 415);
  assert.equal((await fetch(url('local'), { headers: { authorization: `Bearer ${SECRET}` } })).status, 405);
  assert.equal((await send('local', { method: 'resources/read', params: { uri: 'x' } })).status, 404);
  assert.equal((await send('local', { method: 'tools/call', params: { name: 'x'.repeat(5 * 1024 * 1024) } })).status, 413);
  const initialized = (await (await send('local', { method: 'initialize' })).json()) as {
    readonly result: { readonly capabilities: object };
  };
  assert.deepEqual(initialized.result.capabilities, { tools: {} });
  assert.equal((await send('local', ping)).status, 200);
});

test('a server gets only the variables that are named', async () => {
  const { send } = await start({ local: local({ env: ['OWN'] }) }, { OWN: 'mine', OTHER: 'not mine' });
  const { env, own } = await readFacts(await send('local', callTool('facts')));
  assert.equal(own, 'mine');
  assert.ok(!env.includes('OTHER'), env.join());
  await assert.rejects(startConnector({ local: local({ env: ['MISSING'] }) }), /MISSING is not set/);
});

test('a server that ends is started again, later after each failure', async () => {
  const { send, events } = await start({ local: local() });
  const { pid } = await readFacts(await send('local', callTool('facts')));
  assert.equal((await send('local', callTool('crash'))).status, 502);
  const refused = await send('local', callTool('facts'));
  assert.equal(refused.status, 503);
  const seconds = Number(refused.headers.get('retry-after'));
  await new Promise((done) => setTimeout(done, seconds * 1_000 + 100));
  const again = await readFacts(await send('local', callTool('facts')));
  assert.notEqual(again.pid, pid);
  assert.equal(events.filter(({ event }) => event === 'started').length, 2);
});

test('bounds requests in flight, their time, and the bytes of a line', async () => {
  const { send } = await start({ local: local({ calls_max: 1, call_seconds: 4, line_bytes_max: 10_000 }) });
  const { pid } = await readFacts(await send('local', callTool('facts')));
  const hanging = send('local', callTool('hang'));
  await new Promise((done) => setTimeout(done, 100));
  assert.equal((await send('local', callTool('facts'))).status, 429);
  assert.equal((await hanging).status, 504);
  assert.equal((await send('local', callTool('flood'))).status, 502);
  await untilGone(pid);
});

test('an idle server is ended, and started again by the next request', async () => {
  const { send } = await start({ local: local({ idle_seconds: 1 }) });
  const { pid } = await readFacts(await send('local', callTool('facts')));
  await untilGone(pid);
  assert.notEqual((await readFacts(await send('local', callTool('facts')))).pid, pid);
});

test('no server outlives a connector that is killed with SIGKILL', async () => {
  const { send, child } = await start({ local: local() });
  const { pid } = await readFacts(await send('local', callTool('facts')));
  assert.ok(isAlive(pid));
  child.kill('SIGKILL');
  await once(child, 'close');
  await untilGone(pid);
});

test('refuses a configuration with a fault, naming it', async () => {
  await assert.rejects(startConnector({ local: { sandbox: 'NONE' } }), /\/servers\/local: name either command or package/);
  await assert.rejects(startConnector({ local: local({ unknown: 1 }) }), /\/servers\/local/);
  await assert.rejects(startConnector({ local: local({ network: true }) }), /need the sandbox/);
  const pinned = { name: 'left', version: '1.0.0', integrity: `sha512-${'A'.repeat(86)}==`, folder: 'nowhere' };
  await assert.rejects(startConnector({ local: { package: pinned, sandbox: 'NONE' } }), /is not installed/);
});

const canSandbox = spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;

test('a server in the sandbox reads its folders, and reaches neither other files nor the network', {
  skip: canSandbox ? false : 'bubblewrap cannot run here',
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  writeFileSync(join(folder, 'inside.txt'), 'inside');
  const outside = resolve(import.meta.dirname, 'connector.test.ts');
  const script = join(folder, 'server.cjs');
  writeFileSync(
    script,
    `${LIMITED.replace("if (params.name === 'hang') return;", "if (params.name === 'reach') return reach(id);")}
const reach = async (id) => {
  const { readFileSync, writeFileSync } = require('node:fs');
  const tried = (work) => { try { return work(); } catch (error) { return error.code; } };
  const connected = await new Promise((done) => { const socket = require('node:net').connect(Number(process.argv[2]), '127.0.0.1', () => done('connected')); socket.on('error', ({ code }) => done(code)); });
  const facts = { inside: tried(() => readFileSync(${JSON.stringify(join(folder, 'inside.txt'))}, 'utf8')), outside: tried(() => readFileSync(${JSON.stringify(outside)}, 'utf8')), write: tried(() => writeFileSync(${JSON.stringify(join(folder, 'new'))}, 'x')), connected };
  say({ id, result: { content: [{ type: 'text', text: JSON.stringify(facts) }] } });
};`,
  );
  try {
    const probe = await start({ local: local() });
    const port = new URL(probe.url('local')).port;
    const { send } = await start({ boxed: { command: node, args: [script, port], read: [folder] } });
    const facts = await readFacts(await send('boxed', callTool('reach')));
    assert.equal(facts.inside, 'inside');
    assert.equal(facts.outside, 'ENOENT');
    assert.equal(facts.write, 'EROFS');
    assert.equal(facts.connected, 'ECONNREFUSED');
    const memory = await start({ memory: { command: node, args: [PROGRAMS.memory], read: [modules] } });
    assert.match(await (await memory.send('memory', { method: 'tools/list' })).text(), /read_graph/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
