import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { openSvc, type Svc, type SvcOptions, type SvcRun } from '@svc/testing/processes/open-svc.ts';
import { scene } from '@svc/testing/scene/scene.ts';

const at = scene({ steppedUp: true });
let svc: Svc;
before(() => {
  svc = openSvc();
});
after(() => svc.remove());

const project = (): string => join(svc.folder, 'hello');
const run = (args: readonly string[], options: SvcOptions = {}): Promise<SvcRun> =>
  svc.run(args, { ...options, env: { SVC_URL: at.planes.controlUrl, SVC_TOKEN: at.tenant.token, ...options.env } });
const agent = (...words: readonly string[]) => promisify(execFile)(process.execPath, ['agent.mjs', ...words], { cwd: project() });

test('init writes an agent that runs once its policy is applied', async () => {
  const made = await run(['init', 'hello', '--json']);
  assert.equal(made.code, 0, made.stderr);
  assert.equal(statSync(made.json.key_file).mode & 0o777, 0o600);
  assert.ok(!readFileSync(join(project(), 'agent.mjs'), 'utf8').includes('PRIVATE KEY'));
  await run(['deploy', 'Production', 'enforce', '--yes'], { cwd: project() });
  await assert.rejects(agent('Ada'), /BLOCKED|Blocked/);
  const applied = await run(['policies', 'apply', '--yes', '--reason', 'First policy.'], { cwd: project() });
  assert.equal(applied.code, 0, applied.stderr);
  assert.equal((await agent('Ada')).stdout, 'Hello, Ada.\n');
  const why = await run(['why'], { cwd: project() });
  assert.match(why.stdout, /ALLOWED\s+hello.say/);
});

test('run requests an action with the key of the project, and exits by its decision', async () => {
  const allowed = await run(['run', 'hello.say', '--param', 'name=Ada', '--json'], { cwd: project() });
  assert.equal(allowed.json?.decision, 'ALLOW', allowed.stderr);
  const refused = await run(['run', 'no.such.tool'], { cwd: project() });
  assert.ok(refused.code !== 0);
  assert.equal(refused.stdout, '');
});

const SERVER = `
import { createInterface } from 'node:readline';
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'test', version: '1' } } });
  if (method === 'tools/list') say({ id, result: { tools: [{ name: 'say', inputSchema: { type: 'object' } }, { name: 'shout', inputSchema: { type: 'object' } }] } });
  if (method === 'tools/call') say({ id, result: { content: [{ type: 'text', text: 'called ' + params.name + ' ' + JSON.stringify(params.arguments) }] } });
});
`;

test('mcp proxy lets permitted calls through, refuses others, and lists only tools of the agent', async () => {
  const server = join(svc.folder, 'server.mjs');
  writeFileSync(server, SERVER);
  const proxy = svc.start(['mcp', 'proxy', '--prefix', 'hello.', '--', process.execPath, server], {
    cwd: project(),
    env: { SVC_URL: at.planes.controlUrl, SVC_TOKEN: at.tenant.token },
  });
  try {
    const send = (id: number, method: string, params: object = {}): void =>
      proxy.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    send(1, 'initialize');
    await proxy.line(/"id":1/);
    send(2, 'tools/list');
    const listed = JSON.parse(await proxy.line(/"id":2/));
    assert.deepEqual(
      listed.result.tools.map(({ name }: { name: string }) => name),
      ['say'],
    );
    send(3, 'tools/call', { name: 'say', arguments: { name: 'Ada' } });
    assert.match(await proxy.line(/"id":3/), /called say/);
    send(4, 'tools/call', { name: 'shout', arguments: {} });
    const refused = JSON.parse(await proxy.line(/"id":4/));
    assert.equal(refused.result.isError, true);
    assert.ok(!JSON.stringify(refused).includes('called shout'));
  } finally {
    await proxy.stop();
  }
});
